"""The files of the last releases of the pages are kept for pages that stay open while the service is updated."""

from __future__ import annotations

import os
import re
from threading import Event
from typing import TYPE_CHECKING

from service.headers import RELEASE
from service.pages import assets
from service.pages.releases import FOLDER, KEPT_RELEASES, Releases

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.service.conftest import Api

FORMER = "0123456789ab"


def keep(data: Path) -> Path:
    """Keep the present release in a data folder; where it lies."""
    kept = Releases(data)
    kept.keep()
    kept.wait_until_kept()
    return data / FOLDER / f"{assets.digest()}.zip"


def test_all_that_pages_of_a_release_ask_for_is_served_after_it(api: Api) -> None:
    page = api.get("/").text
    data = api.app.context.settings.data
    keep(data).rename(data / FOLDER / f"{FORMER}.zip")
    for name in assets.names():
        answer = api.get(f"/static/{FORMER}/{name}")
        assert (answer.status_code, answer.data) == (200, assets.content(name)), name
        assert answer.headers["ETag"] == f'"{FORMER}"'
        assert "immutable" in answer.headers["Cache-Control"]
    asked = re.findall(rf"/static/{assets.digest()}/([^\"]+)", page)
    assert asked
    assert set(asked) <= set(assets.names())


def test_every_script_that_a_page_loads_later_is_kept() -> None:
    scripts = [name for name in assets.names() if name.startswith("later/")]
    assert len(scripts) == 2 * sum(map(len, assets.LATER.values()))


def test_what_no_release_has_is_not_found(api: Api) -> None:
    keep(api.app.context.settings.data)
    for path in (
        f"/static/{FORMER}/kifu.css",
        f"/static/{assets.digest()}/none.css",
        "/static/..%2F..%2Fkifu/kifu.css",
        "/static/ABCDEFABCDEF/kifu.css",
    ):
        assert api.get(path).status_code == 404, path


def test_a_damaged_file_of_a_release_is_not_found(api: Api) -> None:
    folder = api.app.context.settings.data / FOLDER
    folder.mkdir()
    (folder / f"{FORMER}.zip").write_bytes(b"no ZIP file")
    assert api.get(f"/static/{FORMER}/kifu.css").status_code == 404


def test_the_last_releases_are_kept_and_older_ones_go(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    for age in range(1, KEPT_RELEASES + 2):
        old = tmp_path / FOLDER / f"{age:012x}.zip"
        old.write_bytes(b"")
        os.utime(old, (1_000_000_000 - age, 1_000_000_000 - age))
    present = keep(tmp_path)
    found = {path.name for path in (tmp_path / FOLDER).iterdir()}
    assert found == {present.name} | {f"{age:012x}.zip" for age in range(1, KEPT_RELEASES)}


def test_a_folder_that_cannot_be_written_keeps_no_page_back(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file lies where the folder should")
    assert not keep(tmp_path).exists()


def test_a_stop_does_not_wait_for_the_files_of_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, made = Event(), Event(), list[str]()
    kept = Releases(tmp_path)

    def content(name: str) -> bytes:
        made.append(name)
        begun.set()
        assert go_on.wait(30)
        return b""

    monkeypatch.setattr(assets, "content", content)
    kept.keep()
    assert begun.wait(30)
    kept.stop()
    assert made == assets.names()[:1]
    go_on.set()
    kept.wait_until_kept()
    assert made == assets.names()[:1]
    assert not (tmp_path / FOLDER).exists()


def test_answers_name_the_release_of_the_pages(api: Api) -> None:
    game = api.play()
    for path in ("/", "/v1/games", f"/v1/games/{game}", f"/v1/games/{game}/state", "/v1/games/none"):
        assert api.get(path).headers[RELEASE] == assets.digest(), path
    assert RELEASE not in api.get(f"/static/{assets.digest()}/kifu.css").headers


def test_another_release_of_the_service_has_other_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    before = assets.digest()
    monkeypatch.setattr(assets, "__version__", "99.0")
    assert assets.digest.__wrapped__() != before
