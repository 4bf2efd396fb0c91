"""The test vectors of docs/proof.md: `python -m tests.vectors` makes them anew, from a sample game with new keys.

They are samples: nobody played this game.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import httpx

from events.tree.witness import Witness
from service.app import create_app
from service.cli.client import Client
from service.cli.witness import watch
from service.settings import Settings
from tests.service.conftest import Api
from tests.service.entries import entry, send
from tests.service.test_signing import made_by_curve, made_by_edwards, signature

FOLDER = Path(__file__).parents[1] / "examples" / "vectors"
VIEWS = ("record", "public", "seat-0", "seat-1")


def make(folder: Path, data: Path) -> None:
    """Write the vectors of a new service over `data`."""
    folder.mkdir(parents=True, exist_ok=True)
    app = create_app(Settings(data=data))
    try:
        api = Api(app)
        _record(api, folder)
    finally:
        app.close()


def _record(api: Api, folder: Path) -> None:
    game = api.play("b-d", "-", "+?gola", "-")
    api.catch_up()
    older = _kept(api, "/v1/tree/checkpoint", folder / "older.checkpoint")
    send(api, game, entry("note.added", text="A note with \u2028, \u00e9 and 愛."))
    send(api, game, entry("note.added", text="It is erased."))
    assert api.post(f"/v1/games/{game}/erasures", {"entry": 8, "what": "text"}).status_code in {200, 201, 204}
    send(api, game, signature(api, game, 0, make=made_by_edwards))
    send(api, game, signature(api, game, None, make=made_by_curve))
    api.catch_up()
    for view in VIEWS:
        seat = view.removeprefix("seat-")
        _kept(api, f"/v1/games/{game}/export?format=ndjson&seat={seat}", folder / f"{view}.ndjson")
    _kept(api, f"/v1/games/{game}/events/4/receipt", folder / "entry-4.tlog-proof")
    newer = _kept(api, "/v1/tree/checkpoint", folder / "newer.checkpoint")
    _kept(api, "/v1/tree/key", folder / "key")
    sizes = [int(note.split("\n")[1]) for note in (older, newer)]
    _kept(api, f"/v1/tree/consistency?from={sizes[0]}&to={sizes[1]}", folder / "consistency.json")
    _cosign(api, folder)


def _cosign(api: Api, folder: Path) -> None:
    headers = {"Authorization": f"Bearer {api.app.context.owner_token}"}
    with (
        tempfile.TemporaryDirectory() as memory,
        httpx.Client(transport=httpx.WSGITransport(api.app), base_url="http://localhost", headers=headers) as http,
    ):
        witness = Witness(Path(memory))
        seen = watch(Client(http, "sample"), witness, "sample", None)
        (folder / "cosigned.checkpoint").write_text(str(seen.now.note), encoding="utf-8")
        (folder / "witness.key").write_text(f"{witness.verifier}\n", encoding="utf-8")


def _kept(api: Api, path: str, file: Path) -> str:
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    file.write_bytes(answer.data)
    return answer.text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        make(FOLDER, Path(data))
