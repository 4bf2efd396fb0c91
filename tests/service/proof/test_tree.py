"""The tree over the log, as it is served: checkpoint, key, tiles, entries, proofs, receipts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from events.tree import merkle
from events.tree.archives import check_manifest
from events.tree.checkpoints import Checkpoint, open_checkpoint
from events.tree.notes import BadNoteError, Verifier, parse_verifier
from events.tree.receipts import parse_receipt
from events.tree.tiles import WIDTH, Frontier, TileReader, Tiles
from events.tree.tree import STEP
from projections import growing
from projections.growing import TreeGrower
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import Api, entry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def key(api: Api) -> Verifier:
    return parse_verifier(api.get("/v1/tree/key").text)


def checkpoint(api: Api, key: Verifier) -> Checkpoint:
    return open_checkpoint(api.get("/v1/tree/checkpoint").text, key).checkpoint


def notes(api: Api, game: str, count: int) -> None:
    for first in range(0, count, 1000):
        events = [
            {"id": str(uuid7()), "type": "note.added", "data": {"text": "x"}} for _ in range(min(1000, count - first))
        ]
        assert api.post(f"/v1/games/{game}/events", {"events": events}).status_code == 201


def test_an_entry_is_proved_from_the_answers_alone(api: Api, key: Verifier) -> None:
    game = api.play("ALOA-BARI", "-")
    for stored in api.get(f"/v1/games/{game}/events").get_json()["events"]:
        answer = api.get(f"/v1/games/{game}/events/{stored['version']}/proof").get_json()
        signed = open_checkpoint(answer["checkpoint"], key).checkpoint
        assert (answer["hash"], answer["size"], answer["root"]) == (stored["hash"], signed.size, signed.root.hex())
        leaf = merkle.leaf_hash(bytes.fromhex(stored["hash"]))
        merkle.check_inclusion(leaf, answer["index"], signed.size, [*map(bytes.fromhex, answer["proof"])], signed.root)


def test_a_receipt_is_a_file_that_proves_its_entry(api: Api, key: Verifier) -> None:
    game = api.play("ALOA-BARI")
    answer = api.get(f"/v1/games/{game}/events/2/receipt")
    assert answer.mimetype == "text/plain"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game}-2.tlog-proof"'
    receipt = parse_receipt(answer.text)
    receipt.check(key)
    assert receipt.hash.hex() == api.get(f"/v1/games/{game}/events?after=1").get_json()["events"][0]["hash"]


def test_a_new_entry_is_waited_for_without_anybody_settling_anything(api: Api) -> None:
    game = api.open()
    for version in (1, 2):
        assert api.get(f"/v1/games/{game}/events/{version}/proof").status_code == 200
        api.record(game, "deal black BARI COCO DUDA")


@pytest.mark.parametrize("version", ["0", "9", "-1", "x", "1.0", "²", "9" * 40])
def test_a_version_that_the_game_has_not_is_refused(api: Api, version: str) -> None:
    game = api.open()
    for part in ("proof", "receipt"):
        answer = api.get(f"/v1/games/{game}/events/{version}/{part}")
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/version-unknown")
        answer = api.get(f"/v1/games/{uuid7()}/events/{version}/{part}")
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/game-unknown")


def test_the_whole_tree_can_be_fetched_as_tiles_and_has_the_root_that_is_signed(
    api: Api, key: Verifier, tmp_path: Path
) -> None:
    notes(api, api.open(), 600)
    api.catch_up()
    signed = checkpoint(api, key)
    assert signed.size == 601
    fetched = Tiles(tmp_path)
    edge = Frontier()
    for name in ("000", "001", "002.p/89"):
        bundle = api.get(f"/v1/tree/tile/entries/{name}").data
        assert len(bundle) % 34 == 0
        entries = [bundle[at + 2 : at + 34] for at in range(0, len(bundle), 34)]
        tile = api.get(f"/v1/tree/tile/0/{name}").data
        assert b"".join(map(merkle.leaf_hash, entries)) == tile
        fetched.write(0, int(name[:3]), tile)
        list(edge.extend(map(merkle.leaf_hash, entries)))
    fetched.write(1, 0, api.get("/v1/tree/tile/1/000.p/2").data)
    assert edge.root == signed.root == merkle.root(601, TileReader(fetched, 601))
    stored = [item["event"]["hash"] for item in api.get("/v1/feed?limit=1000").get_json()["items"]]
    assert stored[-1] == entries[-1].hex()


def test_tiles_never_change_and_may_be_kept_and_the_checkpoint_may_not(api: Api) -> None:
    game = api.open()
    notes(api, game, 10)
    api.catch_up()
    paths = ["/v1/tree/tile/0/000.p/5", "/v1/tree/tile/entries/000.p/5"]
    before = [api.get(path) for path in paths]
    notes(api, game, 300)
    api.catch_up()
    for path, answer in zip(paths, before, strict=True):
        assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
        assert answer.mimetype == "application/octet-stream"
        assert api.get(path).data == answer.data
    assert len(api.get("/v1/tree/tile/0/000").data) == WIDTH * 32
    answer = api.get("/v1/tree/checkpoint")
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == (
        "text/plain; charset=utf-8",
        "private, no-cache",
    )
    same = api.get("/v1/tree/checkpoint", headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == 304


@pytest.mark.parametrize(
    "tile",
    [
        "0/000",
        "0/000.p/9",
        "0/001.p/1",
        "1/000.p/1",
        "64/000.p/1",
        "00/000.p/1",
        "-1/000.p/1",
        "x/000.p/1",
        "0/0",
        "0/../../tree.key",
        "0/000.p/0",
        "0/x999/x999/x999/x999/999.p/1",
        "entries/000",
        "entries/000.p/0",
        "entries/..%2f..%2ftree.key",
        "0/000.p/1%0a",
    ],
)
def test_a_tile_that_the_tree_has_not_is_refused(api: Api, tile: str) -> None:
    api.open()
    api.catch_up()
    assert api.get("/v1/tree/tile/0/000.p/1").status_code == 200
    answer = api.get(f"/v1/tree/tile/{tile}")
    assert answer.status_code == 404, answer.text
    assert answer.get_json()["type"] in {"/problems/tile-unknown", "/problems/not-found"}


def test_the_tree_is_proved_to_have_only_grown(api: Api, key: Verifier) -> None:
    game = api.open()
    seen = []
    for _ in range(5):
        notes(api, game, 13)
        api.catch_up()
        seen.append(checkpoint(api, key))
    for older in seen:
        for newer in seen[seen.index(older) :]:
            answer = api.get(f"/v1/tree/consistency?from={older.size}&to={newer.size}").get_json()
            assert (answer["from"], answer["to"]) == (older.size, newer.size)
            proof = [*map(bytes.fromhex, answer["proof"])]
            merkle.check_consistency(older.size, newer.size, older.root, newer.root, proof)
    assert api.get(f"/v1/tree/consistency?from={seen[0].size}").get_json()["to"] == seen[-1].size


@pytest.mark.parametrize(
    ("query", "status", "problem"),
    [
        ("?from=x", 400, "bad-request"),
        ("?from=-1", 400, "bad-request"),
        ("?from=2&to=1", 400, "bad-request"),
        ("?from=1&from=1", 400, "bad-request"),
        ("?from=9", 404, "size-unknown"),
        ("?from=1&to=9", 404, "size-unknown"),
        (f"?from={2**52}", 404, "size-unknown"),
    ],
)
def test_a_size_that_the_tree_never_had_is_refused(api: Api, query: str, status: int, problem: str) -> None:
    api.open()
    api.catch_up()
    answer = api.get(f"/v1/tree/consistency{query}")
    assert (answer.status_code, answer.get_json()["type"]) == (status, f"/problems/{problem}")


@pytest.mark.slow
def test_checkpoints_come_at_most_once_in_a_while_and_only_when_something_was_recorded(api: Api, key: Verifier) -> None:
    """With a spacing that never ends, nothing that is recorded meanwhile is signed."""
    tree = api.app.context.tree
    log = api.app.context.archive.log
    api.stop_thread("grower")
    api.catch_up()
    before = api.get("/v1/tree/checkpoint").text
    api.catch_up()
    assert api.get("/v1/tree/checkpoint").text == before
    grower = TreeGrower(log, tree, spacing=3600)
    thread = threading.Thread(target=grower.run)
    thread.start()
    try:
        game = api.open()
        assert grower.reach(1, 30)
        notes(api, game, STEP)  # so many that it is asked on the way whether to go on
        assert not grower.reach(2, 0.3)
    finally:
        grower.stop()
        thread.join(30)
    assert checkpoint(api, key).size == 1 + STEP, "what came last is signed before the service rests"


def test_a_long_tree_is_proved_after_the_lists(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of both takes seconds, and a family waits for the lists."""
    monkeypatch.setattr(growing, "QUICK", 0)
    context = api.app.context
    api.open()
    api.catch_up()
    api.stop_thread("grower")
    listed, asked = threading.Event(), threading.Event()
    grower = TreeGrower(context.archive.log, context.tree, lists=lambda _: asked.set() or listed.wait(0.01))
    thread = threading.Thread(target=grower.run)
    thread.start()
    try:
        assert asked.wait(30)
        api.open()
        assert not grower.reach(2, 0.3)
        listed.set()
        assert grower.reach(2, 30)
    finally:
        grower.stop()
        thread.join(30)
    assert not thread.is_alive()


@pytest.mark.slow
def test_health_says_that_the_log_is_not_what_was_signed(tmp_path: Path) -> None:
    for name in ("one", "other"):
        app = create_app(Settings(data=tmp_path / name))
        api = Api(app)
        api.play("ALOA-BARI")
        api.catch_up()
        assert api.get("/v1/health").get_json()["tree"] == {"size": 3, "stopped": None}
        app.close()
    for name in ("tree", "tree.key"):
        (tmp_path / "other" / name).rename(tmp_path / "other" / f"{name}.mine")
        (tmp_path / "one" / name).rename(tmp_path / "other" / name)
    app = create_app(Settings(data=tmp_path / "other"))
    try:
        api = Api(app)
        api.catch_up()
        health = api.get("/v1/health").get_json()
        assert health["status"] == "tree-stopped"
        metrics = api.get("/metrics").text
        assert "\nkifu_tree_stopped 1.0" in metrics
        assert "\nkifu_tree_entries 3.0" in metrics
        assert "the entry at position 1 (version 1 of game" in health["tree"]["stopped"]
        game = api.open()
        answer = api.get(f"/v1/games/{game}/events/1/proof")
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/tree-stopped")
        old = api.get("/v1/games").get_json()["games"][-1]["game"]
        answer = api.get(f"/v1/games/{old}/events/1/receipt")  # which another entry was signed in the place of
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/tree-stopped")
        answer = api.get("/v1/tree/checkpoint")
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/tree-stopped")
        assert answer.get_json()["checkpoint"].split("\n")[1] == "3"
    finally:
        app.close()


def test_a_damaged_tile_is_said_to_be_made_anew_and_soon_is(api: Api, tmp_path: Path) -> None:
    game = api.open()
    notes(api, game, 299)
    api.catch_up()
    file = tmp_path / "data" / "tree" / "tile" / "0" / "000"
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    answer = api.get(f"/v1/games/{game}/events/2/proof")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.get_json()["type"] == "/problems/tree-damaged"
    api.catch_up()
    assert api.get(f"/v1/games/{game}/events/2/proof").status_code == 200
    assert file.read_bytes() == content


def test_an_append_waits_for_nothing_of_the_tree(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries are recorded while the tree cannot grow at all."""
    stuck = threading.Event()
    monkeypatch.setattr(Tiles, "write", lambda *_: stuck.wait(30))
    try:
        game = api.open()
        assert api.record(game, "deal black BARI COCO DUDA").status_code == 201
        assert api.post(f"/v1/games/{game}/events", {"events": [entry("ALOA-BARI")]}).status_code == 201
    finally:
        stuck.set()


def test_the_manifest_of_an_archive_is_signed_for_who_administers(api: Api, key: Verifier) -> None:
    digest = "0123456789abcdef" * 4
    note = api.get(f"/v1/tree/archive/{digest}").text
    check_manifest(note, key, digest)
    with pytest.raises(BadNoteError, match="not the one that was signed"):
        check_manifest(note, key, "0" * 64)
    with pytest.raises(BadNoteError):
        open_checkpoint(note, key)
    for wrong in ("0" * 63, "A" * 64, "٣" * 64, "0" * 64 + "%0A"):
        answer = api.get(f"/v1/tree/archive/{wrong}")
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "digest")
