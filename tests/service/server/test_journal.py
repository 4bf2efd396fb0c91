"""The journal: what a service says of what happens, a line of JSON an event, and nothing that opens anything."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from click.testing import CliRunner
from werkzeug.test import Client

from events.postgres.order import ArrangedLanes
from service.app import create_app
from service.cli.commands import kifu
from service.settings import Settings
from tests import warm
from tests.plain_http import PLAIN
from tests.postgres import ROLE
from tests.service.conftest import UNLIMITED, Api
from workers import journal
from workers.host import host_name
from workers.journal import JsonLines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Lines(logging.Handler):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.setFormatter(JsonLines("web"))

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))

    def requests(self) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.said) if line.get("event") == "request"]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Lines]:
    monkeypatch.setenv("KIFU_DATA", str(tmp_path / "data"))
    found = Lines()
    root = logging.getLogger()
    level = root.level
    root.addHandler(found)
    root.setLevel(logging.INFO)
    yield found
    root.removeHandler(found)
    root.setLevel(level)


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    app = create_app(Settings(data=tmp_path / "data", log="json", **UNLIMITED))
    yield Api(app)
    app.close()


def test_every_request_is_a_line_with_host_process_route_status_and_time(api: Api, lines: Lines) -> None:
    game = api.open()
    assert api.get(f"/v1/games/{game}/state").status_code == 200
    assert api.get("/v1/games/nowhere/state").status_code == 404
    assert api.get("/nothing").status_code == 404
    found = lines.requests()
    assert [(line["method"], line["route"], line["status"]) for line in found] == [
        ("POST", "/v1/games", 201),
        *(("GET", "/v1/games/<game>/state", status) for status in (200, 404)),
        ("GET", "(none)", 404),
    ]
    host = host_name(api.app.context.settings.data)
    for line in found:
        assert (line["host"], line["process"], line["pid"], line["level"]) == (host, "web", os.getpid(), "info")
        assert line["ms"] > 0
    assert len({line["request"] for line in found}) == len(found)


def test_a_request_has_an_id_that_its_answer_and_all_its_lines_carry(api: Api, lines: Lines) -> None:
    result = api.get("/v1/health").headers["X-Request-Id"]
    assert lines.requests()[-1]["request"] == result
    assert api.get("/v1/health", headers={"X-Request-Id": "from.a-proxy_1"}).headers["X-Request-Id"] == "from.a-proxy_1"
    for bad in ("short", "x" * 65, 'a"quoted"id', "ä" * 9):
        assert api.get("/v1/health", headers={"X-Request-Id": bad}).headers["X-Request-Id"] != bad


@pytest.mark.slow
def test_no_token_link_code_or_password_is_in_any_line(api: Api, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.open()
    made = api.post("/v1/tokens", {"name": "phone", "role": "viewer"}).get_json()["token"]
    link = api.post(f"/v1/games/{game}/links", {"name": "x"}).get_json()["path"].removeprefix("/s/")
    assert api.get(f"/s/{link}").status_code < 400
    api.get(f"/v1/games/{game}?token={made}")
    monkeypatch.setattr("service.api.routes.operations._audit", lambda _: 1 / 0)
    assert api.get("/v1/health").status_code == 500
    logging.getLogger("x").warning("%s and /s/%s of postgresql://kifu:s3cret@db/kifu whsec_abc123==", made, link)
    text = "\n".join(lines.said)
    assert "ZeroDivisionError" in text, "and what was not foreseen is told in whole"
    for secret in (made, link, api.app.context.owner_token, "s3cret", "abc123"):
        assert secret not in text


def test_text_stays_what_it_was(tmp_path: Path, lines: Lines) -> None:
    app = create_app(Settings(data=tmp_path / "data", **UNLIMITED))
    answer = Api(app).get("/v1/health")
    app.close()
    assert "X-Request-Id" not in answer.headers
    assert lines.requests() == []
    assert journal.line_of("web", "hello") == "web    | hello"


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_form_tells_a_secret_or_the_address_of_a_webhook(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    monkeypatch.setenv("KIFU_LOG", form)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    journal.start_journal("hooks")
    logging.getLogger("httpx").info("HTTP Request: POST https://chat.example/hooks/T0/s3cret")
    logging.getLogger("x").warning("the key whsec_abc123== of postgresql://kifu:s3cret@db/kifu")
    said = capsys.readouterr().err
    assert "the key whsec_… of postgresql://…@db/kifu" in said
    assert "s3cret" not in said


@pytest.mark.programs
def test_all_that_a_whole_service_says_is_lines_of_json(tmp_path: Path) -> None:
    settings = {"KIFU_DATA": str(tmp_path), "KIFU_PORT": "0", "KIFU_LOG": "json"}
    process = warm.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = next(word for word in process.stdout.readline().split() if word.startswith("http"))
        assert httpx.get(httpx.URL(url).join("/v1/health"), verify=PLAIN).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        _, output = process.communicate(timeout=60)
    lines = [json.loads(line) for line in output.splitlines()]
    assert {"web"} <= {line["process"] for line in lines}
    assert {line["host"] for line in lines} == {host_name(tmp_path)}
    assert [line["route"] for line in lines if line.get("event") == "request"].count("/v1/health") >= 1


def test_health_tells_what_its_host_is_called_to_admins_alone(api: Api) -> None:
    name = api.app.context.host
    assert api.get("/v1/health").get_json()["host"] == name
    guest = api.let_in("recorder")
    for text in (guest.get("/v1/health").text, Client(api.app).get("/v1/health").text):
        assert name not in text
        assert json.loads(text)["host"] is None


def test_metrics_tell_how_far_standbys_are_behind(database: str, tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path / "data", database_url=database, **UNLIMITED))
    text = Api(app).get("/metrics").text
    app.close()
    assert "kifu_replicas 0.0" in text
    assert "kifu_replica_lag_bytes NaN" in text


@pytest.mark.empty_database
def test_health_and_metrics_tell_how_far_lanes_are_behind_the_feed(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = CliRunner().invoke(kifu, ["prepare-database", ROLE, "--lanes", "4"], env={"KIFU_DATABASE_URL": database})
    assert prepared.exit_code == 0, prepared.output
    app = create_app(Settings(data=tmp_path / "data", database_url=database, **UNLIMITED))
    monkeypatch.setattr(ArrangedLanes, "count_unplaced", lambda _: {0: 0, 1: 7, 2: 0, 3: 0})
    with closing(app):
        assert Api(app).get("/v1/health").get_json()["lanes"] == [0, 7, 0, 0]
        text = Api(app).get("/metrics").text
    assert 'kifu_lane_lag_events{lane="1"} 7.0' in text
    assert 'kifu_lane_lag_events{lane="3"} 0.0' in text
