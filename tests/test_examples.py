"""The programs in `examples/` that are not rulesets, run for real."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from service.app import create_app
from service.settings import Settings
from service.webhooks.messages import headers
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.service.conftest import Api
from tests.service.receiver import Courier
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.programs

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    app = create_app(Settings(data=tmp_path / "data", webhook_private=True))
    yield Api(app)
    app.close()


@contextlib.contextmanager
def receiving(secret: str, folder: Path, port: int) -> Iterator[str]:
    """The receiver of the examples, at an address."""
    more = {"KIFU_WEBHOOK_SECRET": secret, "RECEIVER_DATABASE": str(folder / "received.db")}
    command = [sys.executable, "-m", "flask", "--app", "receiver", "run", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=EXAMPLES, env=os.environ | more, stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/", verify=PLAIN)
                break
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/kifu"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_receiver_takes_what_is_signed_and_takes_it_once(api: Api, tmp_path: Path) -> None:
    port = free_port()
    made = api.post("/v1/webhooks", {"url": f"http://127.0.0.1:{port}/kifu"}).get_json()
    settings: Settings = api.app.context.settings
    courier = Courier(settings)
    with receiving(made["secret"], tmp_path, port) as url:
        game = api.play()
        api.catch_up()
        courier.go(1)
        path = f"/v1/webhooks/{made['info']['id']}"
        assert api.post(f"{path}/replay", {"after": 0}).status_code == 202
        courier.go(1)
        states = [each["state"] for each in api.get(f"{path}/deliveries").get_json()["deliveries"]]
        forged = headers(b"{}", "msg_1", time.time_ns() // 1_000_000, "standard", ["whsec_bm90IHRoaXMgc2VjcmV0"])
        assert httpx.post(url, content=b"{}", headers=forged, verify=PLAIN).status_code == 400
        for minutes in (-6, 6):  # the clocks of the two machines differ
            now = time.time_ns() // 1_000_000 + minutes * 60_000
            late = headers(b"{}", "msg_2", now, "standard", [made["secret"]])
            assert httpx.post(url, content=b"{}", headers=late, verify=PLAIN).status_code == 400
        assert httpx.post(url, content=b"{}", verify=PLAIN).status_code == 400
    courier.close()
    assert states == ["delivered"] * 4
    with contextlib.closing(sqlite3.connect(tmp_path / "received.db")) as db:
        found = db.execute("select type, game, version from received order by version").fetchall()
    assert found == [("game.opened", game, 1), ("game.entries.appended", game, 2)]
    assert len((EXAMPLES / "receiver.py").read_text().splitlines()) <= 35
