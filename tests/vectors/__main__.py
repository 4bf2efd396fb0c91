"""Make the samples of `tests/vectors` anew: a made-up game with both kinds of signatures, and its proofs."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from events.tree.checkpoints import open_checkpoint
from events.tree.notes import COSIGNATURE, Signer, parse_verifier
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import Api
from tests.service.entries import entry, recorded_entry, send
from tests.service.proof.test_signing import made_by_curve, made_by_edwards, signature

NOW = 1_764_000_000
"""The time of the cosignature, in seconds since 1970."""

VIEWS = ("record", "public", "seat-0", "seat-1")


def play(api: Api) -> str:
    """A game with hidden cards, texts, both kinds of signatures, and two erasures."""
    game = api.open(title="A sample")
    assert api.record(game, "deal black BARI COCO DUDA", "b-d", "-", "+?gola", "-").status_code == 201
    recorded_entry(send(api, game, entry("move.made", move="d-e", override={"reason": "a sample of an override"})))
    recorded_entry(send(api, game, entry("note.added", text="«Ώρα», 棋譜, \u2028 and \t are one line")))
    recorded_entry(send(api, game, signature(api, game, 0, make=made_by_edwards)))
    recorded_entry(send(api, game, signature(api, game, None, make=made_by_curve)))
    for number, what in ((1, "text"), (5, "hidden")):
        body = {"entry": number, "what": what, "reason": "a sample of an erasure"}
        assert api.post(f"/v1/games/{game}/erasures", body).status_code == 200
    return game


def make(folder: Path) -> None:
    """Write all samples into a folder."""
    with TemporaryDirectory() as data, closing(create_app(Settings(data=Path(data)))) as app:
        api = Api(app)
        api.play("ALOA-BARI")
        api.catch_up()
        older = api.get("/v1/tree/checkpoint").text
        game = play(api)
        api.catch_up()
        newer, key = api.get("/v1/tree/checkpoint").text, api.get("/v1/tree/key").text
        size = older.split("\n")[1]
        files = {
            **{f"game.{view}.ndjson": _export(api, game, view) for view in VIEWS},
            "entry.tlog-proof": api.get(f"/v1/games/{game}/events/3/receipt").text,
            "checkpoint.older": older,
            "checkpoint.newer": newer,
            "consistency.json": api.get(f"/v1/tree/consistency?from={size}").text,
            "log.key": key,
            **_cosigned(newer, key),
        }
    for name, content in files.items():
        (folder / name).write_bytes(content.encode())


def _export(api: Api, game: str, view: str) -> str:
    return api.get(f"/v1/games/{game}/export?seat={view.removeprefix('seat-')}&format=ndjson").text


def _cosigned(newer: str, key: str) -> dict[str, str]:
    """The newer checkpoint as a witness cosigned it, and the key of this witness."""
    witness = Signer.generate("sample-witness", COSIGNATURE)
    note = open_checkpoint(newer, parse_verifier(key)).note
    return {
        "checkpoint.cosigned": str(note.cosigned(witness.sign(note.text, NOW))),
        "witness.key": f"{witness.verifier}\n",
    }


if __name__ == "__main__":
    where = Path(__file__).parent
    make(where)
    sys.stdout.write(json.dumps(sorted(path.name for path in where.iterdir() if path.suffix != ".py")) + "\n")
