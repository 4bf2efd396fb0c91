"""The tree over the log at the command line: what it signs, proves and refuses, and what of it is verified."""

from __future__ import annotations

import json

import pytest

from events.tree import merkle
from events.tree.checkpoints import open_checkpoint
from events.tree.notes import Signer, parse_verifier

from .conftest import Kifu


@pytest.fixture
def game(kifu) -> str:
    return kifu.play()


@pytest.fixture
def proved(kifu, game, tmp_path):
    """An export and the receipt of one of its entries."""
    export, receipt = tmp_path / "game.ndjson", tmp_path / "game.tlog-proof"
    kifu("tree", "prove", game, 4, receipt)
    kifu("export", game, export)
    return export, receipt


def checkpoint(kifu):
    return open_checkpoint(kifu("tree", "checkpoint"), parse_verifier(kifu("tree", "key"))).checkpoint


@pytest.mark.slow
def test_the_checkpoint_is_verified_with_the_key(kifu, game):
    kifu("tree", "prove", game, 6)
    assert checkpoint(kifu).size == 6


def test_a_receipt_is_proved_with_the_export_and_nothing_else(kifu, proved, tmp_path):
    export, receipt = proved
    key = kifu("tree", "key").strip()
    elsewhere = Kifu(tmp_path / "nothing")
    result = elsewhere("verify", export, "--receipt", receipt)
    assert f"Proved: entry 4 is number 4 of the 6 entries that {key.split('+')[0]} signed." in result
    assert f"The signature is that of {key}" in result
    assert "that of" not in elsewhere("verify", export, "--receipt", receipt, "--key", key)
    result = json.loads(elsewhere("verify", export, "--receipt", receipt, "--json"))
    assert (result["sound"], result["version"], result["index"], result["size"], result["key"]) == (True, 4, 3, 6, key)


@pytest.mark.slow
def test_a_receipt_that_is_false_or_of_another_game_or_key_is_refused(kifu, proved, tmp_path):
    export, receipt = proved
    stranger = str(Signer.generate("stranger").verifier)
    assert "the receipt is of the log with the key" in kifu.fails(
        "verify", export, "--receipt", receipt, "--key", stranger
    )
    assert "proves nothing" in kifu.fails("verify", export, "--receipt", receipt, "--key", "hello")
    other = tmp_path / "other.ndjson"
    kifu("export", kifu.play(), other)
    assert "is the receipt of an entry that is not in" in kifu.fails("verify", other, "--receipt", receipt)
    text = receipt.read_text()
    receipt.write_text(text.replace("index 3", "index 2"))
    assert "proves nothing: entry 2 is not in the tree" in kifu.fails("verify", export, "--receipt", receipt)
    receipt.write_bytes(b"\xff")
    assert "proves nothing" in kifu.fails("verify", export, "--receipt", receipt)
    receipt.write_text(text)
    export.write_bytes(export.read_bytes().replace(b"ALOA-BARI", b"ALOA-HUNA"))
    assert "wrong in" in kifu.fails("verify", export, "--receipt", receipt)


def test_a_receipt_needs_an_export_and_a_key_a_receipt(kifu, proved):
    export, receipt = proved
    assert "Name the file of the export" in kifu.fails("verify", "--receipt", receipt)
    assert "Use --key only with --receipt" in kifu.fails("verify", export, "--key", "x", code=2)
    assert "Use --witness only with --receipt" in kifu.fails("verify", export, "--witness", "x", code=2)


def test_an_earlier_export_is_not_passed_over_where_it_is_not_compared(kifu, proved, tmp_path):
    export, receipt = proved
    archive = tmp_path / "everything.zip"
    archive.write_bytes(b"PK\x05\x06" + bytes(18))
    for asked in ((export, "--receipt", receipt), (export, "--accept-loss", "1234"), (archive,)):
        assert "Use --since only for exported games" in kifu.fails("verify", *asked, "--since", export, code=2)


@pytest.mark.slow
def test_a_receipt_is_printed_or_written_whole_and_never_over_another(kifu, game, tmp_path):
    file = tmp_path / "receipt"
    kifu("tree", "prove", game, 2, file)
    assert file.read_text() == kifu("tree", "prove", "last", 2)
    assert "exists already" in kifu.fails("tree", "prove", game, 3, file)
    kifu("tree", "prove", game, 3, file, "--force")
    assert file.read_text() == kifu("tree", "prove", game, 3)
    assert "no versions" not in kifu.fails("tree", "prove", game, 9)
    output = json.loads(kifu("tree", "prove", game, 3, "--json"))
    assert (output["version"], output["index"]) == (3, 2)


@pytest.mark.slow
def test_a_consistency_proof_holds_between_two_checkpoints(kifu, game):
    kifu("tree", "prove", game, 6)
    older = checkpoint(kifu)
    other = kifu.play()
    kifu("tree", "prove", other, 6)
    newer = checkpoint(kifu)
    proof = [bytes.fromhex(line) for line in kifu("tree", "consistency", older.size).split()]
    merkle.check_consistency(older.size, newer.size, older.root, newer.root, proof)
    output = json.loads(kifu("tree", "consistency", 6, 12, "--json"))
    assert (output["from"], output["to"], [bytes.fromhex(hash_) for hash_ in output["proof"]]) == (6, 12, proof)
    assert "Tree size not reached" in kifu.fails("tree", "consistency", 6, 13)
    assert "not smaller than `from`" in kifu.fails("tree", "consistency", 6, 5)


def test_verify_names_a_damaged_tile_and_rebuild_makes_it_anew(kifu, game):
    kifu("tree", "prove", game, 6)
    tile = kifu.data / "tree" / "tile" / "0" / "000"
    content = tile.read_bytes()
    tile.write_bytes(content[:40] + bytes([content[40] ^ 4]) + content[41:])
    result = kifu.run("verify")
    assert result.exit_code == 1
    assert "tree, made anew at the next start: tile/0/000 does not match the log" in result.stdout
    assert json.loads(kifu.run("verify", "--json").stdout)["sound"] is False
    assert "tile/0/000 of the tree did not match the log. It was made anew." in kifu("rebuild")
    assert tile.read_bytes() == content
    assert kifu("verify").startswith("Sound: ")


@pytest.mark.slow
def test_a_log_put_in_the_place_of_another_is_found_and_the_owner_decides(kifu, game, tmp_path):
    kifu("tree", "prove", game, 6)
    key = kifu("tree", "key")
    other = Kifu(tmp_path / "other")
    other.play()
    for name in ("kifu.db", "kifu.db.heads"):
        (kifu.data / name).write_bytes((other.data / name).read_bytes())
    for command in ("verify", "rebuild"):
        result = kifu.run(command)
        assert result.exit_code == 1
        assert "tree: the log is not what was signed: the entry at position 1 (version 1 of game" in result.stdout
    output = json.loads(kifu.run("rebuild", "--json").stdout)
    assert "not what was signed" in output["tree"]["contradicted"]
    new = kifu.play()
    assert "`kifu tree restart`" in kifu.fails("tree", "prove", new, 1)
    assert "proves nothing about the old one" in kifu.fails("tree", "restart", stdin="n\n")
    assert "The old tree and its key are in" in kifu("tree", "restart", "--yes")
    kifu("tree", "prove", new, 1)
    assert checkpoint(kifu).size == 12
    assert kifu("tree", "key") != key
    assert (kifu.data / "tree.1" / "tree.key").exists()
    assert kifu("verify").startswith("Sound: ")


def test_a_tree_is_restarted_only_where_there_is_a_log(untouched):
    assert "nothing is recorded in the data folder" in untouched.fails("tree", "restart", "--yes")


def test_a_tree_is_restarted_only_where_nobody_serves_it(kifu, address):
    kifu.open()
    address()
    assert "Stop it first." in kifu.fails("tree", "restart", "--yes")
