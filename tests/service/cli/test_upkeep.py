"""Proving, rebuilding and copying a data folder."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from events.sqlite import SqliteLog

from .conftest import Kifu, environment_of


@pytest.fixture
def game(kifu) -> str:
    return kifu.play()


@contextmanager
def database(kifu):
    """The database, to be tampered with."""
    with closing(sqlite3.connect(kifu.data / "kifu.db", isolation_level=None)) as connection:
        for (name,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f'drop trigger "{name}"')
        yield connection


def edit(kifu, version, old="ALOA"):
    with database(kifu) as connection:
        (body,) = connection.execute("select data from event where version = ?", (version,)).fetchone()
        changed = body.replace(old, "HUNA") if isinstance(body, str) else body.replace(old.encode(), b"HUNA")
        assert changed != body
        connection.execute("update event set data = ? where version = ?", (changed, version))
    connection.close()


def cut_off(kifu, version):
    with database(kifu) as connection:
        connection.execute("delete from event where version >= ?", (version,))
    connection.close()


def test_a_sound_folder_is_said_to_be_sound(kifu, game):
    assert kifu("verify") == "Sound: 6 entries of 1 game.\n"
    assert kifu("verify", kifu.data) == kifu("verify", kifu.data / "kifu.db")


def test_a_folder_without_its_heads_is_told_that_a_lost_end_cannot_be_noticed(kifu, game, tmp_path):
    half = tmp_path / "half"
    half.mkdir()
    shutil.copy(kifu.data / "kifu.db", half)
    found = kifu.run("verify", half)
    assert found.exit_code == 1
    assert "kifu.db.heads is missing, so a lost end of the log cannot be noticed" in found.stdout
    Kifu(half).open()
    assert kifu("verify", half).startswith("Sound: ")


def test_an_edited_entry_is_named(kifu, game):
    edit(kifu, 5)
    result = kifu.run("verify")
    assert result.exit_code == 1
    assert f"game {game}, version 5, edited: it is not what was hashed" in result.stdout
    assert "1 thing is wrong" in result.stderr


def test_a_proof_is_told_to_programs(kifu, game, tmp_path):
    assert json.loads(kifu("verify", "--json")) == {
        "sound": True,
        "games": 1,
        "events": 6,
        "problems": [],
        "bare_erasures": 0,
        "seals": {"open": 0, "erased": 0, "shut": 0},
        "signatures": [],
        "irregular": None,
        "clubs": 0,
        "derived": [],
        "not_replayed": {},
    }
    kifu("export", game, tmp_path / "game.ndjson")
    assert json.loads(kifu("verify", tmp_path / "game.ndjson", "--json"))["sound"] is True
    edit(kifu, 5)
    result = kifu.run("verify", "--json")
    output = json.loads(result.stdout)
    assert (result.exit_code, output["sound"]) == (1, False)
    assert [(each["kind"], each["game"], each["version"]) for each in output["problems"]] == [("edited", game, 5)]


def test_what_upkeep_does_is_told_to_programs(kifu, game, tmp_path):
    assert json.loads(kifu("rebuild", "--json")) == {
        "games": 1,
        "events": 6,
        "drifted": [],
        "unreadable": {},
        "clubs": 0,
        "tree": {"others": [], "contradicted": None},
    }
    copied = json.loads(kifu("backup", tmp_path / "copy", "--json"))
    assert copied == {"folder": str(tmp_path / "copy"), "games": 1, "damaged": 0}
    edit(kifu, 5)
    result = kifu.run("rebuild", "--json")
    assert result.exit_code == 1
    assert list(json.loads(result.stdout)["unreadable"]) == [game]


def test_a_loss_that_is_accepted_is_told_to_programs(kifu, game):
    cut_off(kifu, 5)
    assert json.loads(kifu("verify", "--accept-loss", game, "--yes", "--json")) == {"game": game, "version": 4}


@pytest.mark.slow
def test_a_lost_tail_is_named_and_can_be_accepted(kifu, game):
    cut_off(kifu, 5)
    other = kifu.open("--title", "Sound")
    assert "entries 5 to 6 are missing at the end" in kifu.run("verify").stdout
    assert "damaged at version 5" in kifu.fails("show", game)
    assert "Sound" in kifu("show", other)
    assert f"They are: {game}." in kifu.fails("verify", "--accept-loss", other)
    assert "Accept what is left as the record, for good?" in kifu.fails("verify", "--accept-loss", game, stdin="n\n")
    assert "damaged at version 5" in kifu.fails("show", game)
    assert "Its record now ends at version 4." in kifu("verify", "--accept-loss", game[-8:], "--yes")
    assert "4 entries" in kifu("show", game)
    assert "tree: the log is not what was signed: the entry at position 5 is missing" in kifu.run("verify").stdout
    kifu("tree", "restart", "--yes")
    assert "Sound: " in kifu("verify")
    assert "no game is damaged" in kifu.fails("verify", "--accept-loss", game)


def test_a_flipped_bit_in_the_file_is_found(kifu, game):
    path = kifu.data / "kifu.db"
    content = bytearray(path.read_bytes())
    at = content.index(b"ALOA-BARI")
    content[at] ^= 1
    path.write_bytes(content)
    assert f"game {game}, version 5, " in kifu.run("verify").stdout
    assert kifu.run("verify").exit_code == 1


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"x" * 200, b"hello"])
def test_a_file_that_is_no_record_is_said_to_be_none(kifu, content, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(content)
    assert kifu.fails("verify", file).startswith("kifu: ")


@pytest.mark.parametrize("how", [(), ("--accept-loss", "last")], ids=" ".join)
def test_a_pipe_or_a_device_is_not_called_a_data_folder(untouched, tmp_path, how):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/null", tmp_path / "pipe"):
        assert f"{path} is a pipe or a device" in untouched.fails("verify", path, *how)


def test_what_is_not_there_cannot_be_verified(untouched, tmp_path):
    assert "nothing is recorded in the data folder" in untouched.fails("rebuild")
    assert "there is no file and no folder" in untouched.fails("verify", tmp_path / "none")
    (tmp_path / "empty").mkdir()
    assert "nothing is recorded in the data folder" in untouched.fails("verify", tmp_path / "empty")
    assert "nothing is recorded in the data folder" in untouched.fails("backup", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def drift(kifu, sql):
    (views,) = (kifu.data / "views").glob("*.db")
    with closing(sqlite3.connect(views)) as connection, connection:
        connection.execute(sql)
    connection.close()


def test_a_row_that_is_not_what_was_written_is_not_listed_but_made_anew(kifu, game):
    drift(kifu, "update game set title = 'Drifted'")
    assert "Drifted" not in kifu("games")
    assert kifu("rebuild") == "Rebuilt 1 game from 6 entries.\n"


def test_a_rebuild_mends_what_was_lost(kifu, game):
    kifu("games")
    drift(kifu, "delete from game")
    assert f"{game} was not listed as the log has it" in kifu("rebuild")
    assert game[-8:] in kifu("games")
    assert kifu("rebuild") == "Rebuilt 1 game from 6 entries.\n"


def test_a_rebuild_needs_no_read_models_to_begin_with(kifu, game):
    shutil.rmtree(kifu.data / "views")
    assert "Rebuilt 1 game from 6 entries." in kifu("rebuild")
    assert "Anna" in kifu("games")


def test_a_rebuild_names_the_games_that_cannot_be_read(kifu, game):
    kifu.open("--title", "Sound")
    edit(kifu, 5)
    result = kifu.run("rebuild")
    assert result.exit_code == 1
    assert f"{game}: " in result.stdout
    assert "Rebuilt 2 games" in result.stdout
    assert "Sound" in kifu("games")


@pytest.mark.slow
def test_a_backup_is_proved_and_can_be_used_as_it_is(kifu, game, tmp_path):
    kifu("clubs", "create", "Club")
    kifu("tournaments", "create", "Cup")
    counted = "1 game and 2 records of clubs, seasons and tournaments"
    assert "Copied and proved 3 records: " in kifu("backup", tmp_path / "copy")
    assert f"entries of {counted}." in kifu("verify")
    copy = Kifu(tmp_path / "copy")
    assert json.loads(copy("show", game, "--json")) == json.loads(kifu("show", game, "--json"))
    assert copy("verify") == kifu("verify")
    assert "Black Anna, White Ben" in copy("show", game)


def test_a_backup_inside_of_what_it_copies_is_warned_of(kifu, game, tmp_path):
    assert "inside the data folder itself" in kifu.run("backup", kifu.data / "copies" / "monday").stderr
    assert "inside the data folder itself" not in kifu.run("backup", tmp_path / "copy").stderr


def test_a_backup_never_writes_over_another(kifu, game, tmp_path):
    kifu("backup", tmp_path / "copy")
    before = (tmp_path / "copy" / "kifu.db").read_bytes()
    assert "copy is not empty" in kifu.fails("backup", tmp_path / "copy")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "anna.jpg").touch()
    assert "Name a new folder." in kifu.fails("backup", tmp_path / "photos")
    assert [each.name for each in (tmp_path / "photos").iterdir()] == ["anna.jpg"]
    assert (tmp_path / "copy" / "kifu.db").read_bytes() == before
    (tmp_path / "file").write_text("mine")
    assert "is not a folder" in kifu.fails("backup", tmp_path / "file")


def test_a_backup_of_a_damaged_record_says_so(kifu, game, tmp_path):
    kifu.open()
    cut_off(kifu, 5)
    result = kifu.run("backup", tmp_path / "copy")
    assert result.exit_code == 1
    assert "1 game is damaged, in the copy, too" in result.stderr
    assert Kifu(tmp_path / "copy").run("verify").exit_code == 1


@pytest.mark.programs
def test_a_full_disk_leaves_no_half_backup(kifu, tmp_path):
    kifu.play()
    target = tmp_path / "copy"
    limited = f"ulimit -f 4; exec {sys.executable} -m service.cli backup {target}"
    program = subprocess.Popen(
        ["bash", "-c", limited], env=environment_of(kifu.data), stderr=subprocess.PIPE, text=True
    )
    _, output = program.communicate()
    assert program.returncode == 1
    assert "is full" in output
    assert "Traceback" not in output
    assert not target.exists()


def test_a_sound_chain_of_what_cannot_be_is_found_in_a_folder_and_in_a_file(kifu, game, tmp_path):
    impossible = {"type": "build", "seat": 0, "card": "NOWHERE", "line": "BARI-DUDA"}
    with SqliteLog(kifu.data / "kifu.db") as log:
        event = NewEvent(id=str(uuid7()), type="move.made", data={"move": impossible})
        log.append(game, [event], expected=6, recorder="old")
    for path in (kifu.data, kifu.data / "kifu.db"):
        result = kifu.run("verify", path)
        assert result.exit_code == 1
        assert (
            f"game {game}, version 7, unreplayable: card: 'NOWHERE' is unknown; choose one of `ALOA`, `BARI`"
            in result.stdout
        )
    file = tmp_path / "game.ndjson"
    kifu("export", game, file)
    result = kifu.run("verify", file)
    assert result.exit_code == 1
    assert "line 8" in result.stdout
    assert "version 7, unreplayable" in result.stdout
    kifu("undo", game, "--entry", "7")
    assert kifu("verify").startswith("Sound: 8 entries")


def test_a_file_is_told_with_its_seals_its_signatures_and_what_breaks_rules(kifu, tmp_path):
    game = kifu.play()
    file = tmp_path / "game.ndjson"
    kifu("export", game, file)
    said = kifu("verify", file)
    assert "Seals: " in said
    assert "Against the rules: 0 entries." in said
    header, *lines = file.read_bytes().splitlines(keepends=True)
    false = json.dumps(json.loads(header) | {"irregular": {"3": ["kahuna:CTRL-2"]}}).encode() + b"\n"
    file.write_bytes(b"".join([false, *lines]))
    found = json.loads(kifu.run("verify", file, "--json").stdout)
    assert [(each["kind"], each["version"], each["line"]) for each in found["problems"]] == [("misflagged", 3, 1)]


@pytest.mark.parametrize(
    ("false", "version"), [({"viewpoint": "public"}, 1), ({"viewpoint": "seat-0", "irregular": {"99": ["x"]}}, 1)]
)
def test_a_header_that_hides_what_its_file_opens_is_found(kifu, tmp_path, false, version):
    file = tmp_path / "game.ndjson"
    kifu("export", kifu.play(), file)
    header, *lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([json.dumps(json.loads(header) | false).encode() + b"\n", *lines]))
    problem, *_ = json.loads(kifu.run("verify", file, "--json").stdout)["problems"]
    assert (problem["kind"], problem["version"], problem["line"]) == ("misflagged", version, 1)


def test_irregular_entries_that_there_are_not_are_found_in_a_file_for_the_public(kifu, tmp_path):
    file = tmp_path / "game.ndjson"
    kifu("export", kifu.play(), file, "--seat", "public")
    header, *lines = file.read_bytes().splitlines(keepends=True)
    false = json.dumps(json.loads(header) | {"irregular": {"99": ["kahuna:CTRL-2"]}}).encode() + b"\n"
    file.write_bytes(b"".join([false, *lines]))
    (problem,) = json.loads(kifu.run("verify", file, "--json").stdout)["problems"]
    assert (problem["kind"], problem["version"]) == ("misflagged", 99)


@pytest.mark.slow
def test_a_later_export_is_proved_to_go_on_from_an_earlier_one(kifu, tmp_path):
    game, old, new = kifu.play(), tmp_path / "old.ndjson", tmp_path / "new.ndjson"
    kifu("export", game, old)
    kifu("note", game, "one more")
    kifu("export", game, new)
    assert "Sound" in kifu("verify", new, "--since", old)
    found = json.loads(kifu.run("verify", old, "--since", new, "--json").stdout)
    assert [(each["kind"], each["game"], each["version"]) for each in found["problems"]] == [("truncated", game, 7)]
    other = tmp_path / "other.ndjson"
    kifu("export", kifu.play(), other)
    result = kifu.run("verify", other, "--since", old)
    assert (result.exit_code, "old.ndjson has it" in result.stdout) == (1, True)


def test_the_lists_of_a_folder_are_copied_once_and_only_where_there_are_none(kifu, game, tmp_path):
    kifu("rebuild")
    new = tmp_path / "new"
    assert json.loads(kifu("copy-lists", new, "--json")) == {
        "folder": str(new),
        "games": 1,
        "position": 6,
        "tree": True,
    }
    assert not (new / "tree.key").exists(), "that is a secret"
    assert f"{new} has lists already" in kifu.fails("copy-lists", new)
    (tmp_path / "file").touch()
    assert "is not a folder" in kifu.fails("copy-lists", tmp_path / "file")
    empty = tmp_path / "empty"
    assert f"{empty} has no lists of this release" in kifu.fails("copy-lists", tmp_path / "other", "--data", empty)
    assert not (tmp_path / "other" / "views" / "current").exists()
