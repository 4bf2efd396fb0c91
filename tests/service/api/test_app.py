"""The application: the routes are made once a process, and each data folder has all else for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client

from service.app import create_app
from service.settings import Settings
from tests.service.conftest import Api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.app import Application


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Application]]:
    """Opens data folders by their names."""
    opened: list[Application] = []

    def one(name: str, **settings: object) -> Application:
        opened.append(create_app(Settings(data=tmp_path / name, **settings)))  # type: ignore[arg-type]
        return opened[-1]

    yield one
    for app in opened:
        app.close()


@pytest.mark.slow
def test_services_of_one_process_share_their_routes_and_nothing_that_is_stored(
    start: Callable[..., Application],
) -> None:
    one, other = Api(start("one")), Api(start("other"))
    assert one.app.site is other.app.site
    game = one.play()
    for api, there in ((one, 200), (other, 404)):
        assert api.get(f"/v1/games/{game}").status_code == there
        assert f"kifu_log_position {2 if api is one else 0}.0" in api.get("/metrics").text
        assert f"kifu_events_appended_total {2 if api is one else 0}.0" in api.get("/metrics").text
    foreign = {"Authorization": f"Bearer {one.token}"}
    assert Client(other.app).get("/v1/feed", headers=foreign).status_code == 401


@pytest.mark.slow
def test_each_service_of_a_process_keeps_to_its_own_settings(start: Callable[..., Application]) -> None:
    large, small = Api(start("large")), Api(start("small", max_body=100))
    body = {"name": "x" * 100}
    assert [api.post("/v1/tokens", body).status_code for api in (large, small, large)] == [400, 413, 400]
    near, far = Client(start("near")), Client(start("far", host="0.0.0.0"))  # noqa: S104 - others are to reach it
    elsewhere = {"Host": "kifu.example"}
    assert [each.get("/v1/health", headers=elsewhere).status_code for each in (near, far, near)] == [400, 200, 400]


@pytest.mark.slow
def test_what_few_services_need_stands_in_the_way_of_no_other(start: Callable[..., Application]) -> None:
    plain, journal, proxied = start("plain"), start("journal", log="json"), start("proxied", proxies=1)
    assert len({id(app.site) for app in (plain, journal, proxied)}) == 3
    headers = {"Host": "kifu.example", "X-Forwarded-Host": "kifu.example"}
    answers = [Client(app).get("/v1/health", headers=headers) for app in (plain, journal, proxied)]
    assert [answer.status_code for answer in answers] == [400, 400, 200]
    assert ["X-Request-Id" in answer.headers for answer in answers] == [False, True, False]
