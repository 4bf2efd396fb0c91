"""Every failure is explained in one or two lines: no traceback, nothing lost, and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import ssl
import subprocess
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from events.sqlite import SqliteLog
from service.cli.shell import connection
from service.cli.shell.failures import explain
from service.cli.shell.files import NoRoomError
from service.exchange import dataset
from tests.newer import make_newer
from tests.ports import free_port

from .conftest import environment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

READING = [("games",), ("show", "last"), ("replay", "last"), ("score", "last"), ("players", "list")]
LONG_NOTE = f"note {'x' * 3000}\n"
WORKING = [*READING, ("undo", "last"), ("record", "last", "-"), ("note", "last", "x"), ("export", "last")]


@pytest.mark.parametrize("arguments", [*WORKING, ("access",)])
def test_a_folder_without_a_record_is_not_made_by_looking(untouched, arguments):
    message = untouched.fails(*arguments)
    assert "nothing is recorded in the data folder" in message
    assert "--data or KIFU_DATA" in message
    assert not untouched.data.exists()


@pytest.mark.parametrize("arguments", WORKING)
def test_an_unreachable_service_is_named(kifu, arguments):
    url = f"http://127.0.0.1:{free_port()}"
    message = kifu.fails(*arguments, KIFU_URL=url)
    assert f"no answer from {url}: " in message
    assert "Is the service running?" in message


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("export", "b.csv", "--table", "entries"), "b.csv is a file. Name a GAME before it"),
        (("export", "--all", "b.csv", "--names"), "leave out --names and --seat"),
        (("export", "--all", "b.zip", "--ruleset", "kahuna"), "but not both"),
        (("export", "last", "b.txt", "--locale", "de"), "only for CSV"),
        (("export", "last", "/nowhere/b.txt"), "the folder /nowhere does not exist"),
        (("tables", "b.csv", "--locale", "xx"), "no language or country has this tag"),
        (("tables", "b.pdf"), "should end in one of"),
        (("dataset", "/nowhere/b.db"), "the folder /nowhere does not exist"),
        (("analyse", "last", "--set", "games"), "write it as NAME=NUMBER"),
        (("claim", "last", "--line", "1:points:x"), "write a number of points"),
        (("year", "--picture", "b.gif"), "the name ends with .png or .svg"),
        (("stats", "Anna", "--csv", "--behind", "wins"), "but not both"),
        (("show", "last", "--png", "/nowhere/b.png"), "the folder /nowhere does not exist"),
        (("tree", "prove", "last", "1", "/nowhere/b"), "the folder /nowhere does not exist"),
        (("players", "held", "Anna", "/nowhere/b"), "the folder /nowhere does not exist"),
        (("clubs", "export", "Porto", "/nowhere/b"), "the folder /nowhere does not exist"),
        (("import-plays",), "Give a FILE, or --bgg"),
        (("components", "put", "kahuna", "x", "--game", "last", "README.md"), "README.md"),
    ],
)
def test_wrong_arguments_are_named_before_any_work(kifu, monkeypatch, arguments, told):
    """To open a long record whose lists are behind takes minutes."""
    kifu.open()
    kifu.end()
    monkeypatch.setattr(connection, "_open", Mock(side_effect=AssertionError("the record is opened")))
    kifu.kept = None
    result = kifu.run(*arguments)
    assert told in result.stderr
    assert result.exit_code in {1, 2}


def test_without_a_service_there_is_no_empty_dataset(kifu, tmp_path):
    kifu.fails("dataset", tmp_path / "club.db", KIFU_URL=f"http://127.0.0.1:{free_port()}")
    assert not (tmp_path / "club.db").exists()


def test_authorities_are_read_only_for_a_service_that_speaks_https(kifu, monkeypatch):
    """To read those that everybody trusts takes 20 ms."""
    monkeypatch.setattr(ssl, "create_default_context", Mock(side_effect=AssertionError("authorities are read")))
    assert "http://127.0.0.1:9" in kifu.fails("games", "--url", "http://127.0.0.1:9")
    assert "authorities are read" in kifu.run("games", "--url", "https://127.0.0.1:9").output


@pytest.mark.parametrize("url", ["nonsense", "ftp://example.org", "http://", "http://[", "http://a b"])
def test_a_url_that_is_none_is_refused(kifu, url):
    assert kifu.fails("games", "--url", url).startswith("kifu: ")


class Stranger(BaseHTTPRequestHandler):
    """Some other program's web server."""

    def do_GET(self) -> None:
        status = {"/v1/players": 404, "/v1/rulesets": 503}.get(self.path.partition("?")[0], 200)
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Welcome</h1>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def stranger() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_another_programs_answer_is_not_taken_for_a_services(kifu, stranger):
    assert "http://127.0.0.1" in kifu.fails("show", "last", "--url", stranger)
    assert "is not a Kifu service: it answers 404" in kifu.fails("players", "list", "--url", stranger)


def test_a_service_that_is_away_for_a_moment_is_said_to_be(kifu, stranger):
    message = kifu.fails("rulesets", "--url", stranger)
    assert "it answers 503 Service Unavailable" in message
    assert "Nothing was changed. You can repeat the command." in message


def test_a_wrong_token_is_refused_with_where_to_find_the_right_one(kifu):
    game = kifu.open()
    message = kifu.fails("note", game, "x", "--token", "kifu_owner_wrong")
    assert "Invalid token" in message
    assert "owner.token" in message
    assert "characters that no token has" in kifu.fails("games", "--token", "naïve")


def test_the_folders_token_is_sent_to_this_machine_only(kifu):
    kifu.open()
    place = connection.Place(kifu.data, "http://127.0.0.1:1", None)
    with connection.connect(place) as client:
        assert client.connection.http.headers["Authorization"].startswith("Bearer kifu_own_")
    with connection.connect(connection.Place(kifu.data, "https://kifu.example.org", None)) as client:
        assert "Authorization" not in client.connection.http.headers


def test_a_folder_that_another_command_has_open_is_waited_for_and_then_said_to_be(kifu, monkeypatch):
    game = kifu.open()
    monkeypatch.setattr(connection, "FOLDER_WAIT", 0.2)
    with SqliteLog(kifu.data / "kifu.db"):
        message = kifu.fails("show", game)
    assert "kifu.db open for writing" in message
    assert "Another command is still running" in message
    assert "0:0" in kifu("show", game)


@pytest.mark.programs
def test_two_commands_at_once_wait_for_each_other(kifu):
    game = kifu.open()
    programs = [kifu.program("note", game, f"note {number}") for number in range(2)]
    for program in programs:
        _, output = program.communicate()
        assert program.returncode == 0, output
    assert "3 entries" in kifu("show", game)


@pytest.mark.parametrize("place", ["/proc/kifu", "/dev/null/kifu"])
def test_a_folder_that_cannot_be_made_is_named(kifu, place):
    message = kifu.fails("open", "kahuna", "--data", place)
    assert place in message
    assert "--data" in message


def test_a_data_folder_that_is_a_file_is_a_usage_error(kifu, tmp_path):
    (tmp_path / "file").touch()
    assert "is a file" in kifu.fails("games", "--data", tmp_path / "file", code=2)


def test_a_record_of_a_newer_release_is_left_alone(kifu):
    game = kifu.open()
    make_newer(kifu.data / "kifu.db")
    for arguments in (("show", game), ("verify",), ("rebuild",), ("backup", kifu.data.parent / "copy")):
        assert "Update this program." in kifu.fails(*arguments)


def test_a_database_that_is_none_is_named(untouched):
    untouched.data.mkdir()
    (untouched.data / "kifu.db").write_bytes(b"hello" * 1000)
    for arguments in (("games",), ("verify",), ("rebuild",)):
        assert "kifu.db" in untouched.fails(*arguments)


@pytest.mark.programs
def test_a_full_disk_is_said_and_the_same_command_goes_on_later(kifu, tmp_path):
    game = kifu.open()
    file = tmp_path / "moves.txt"
    file.write_text("deal black b c d\n" + LONG_NOTE * 20, encoding="utf-8")
    program = subprocess.Popen(
        ["bash", "-c", f"ulimit -f 40; exec {sys.executable} -m service.cli record {game} {file}"],
        env=environment_of(kifu.data),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, output = program.communicate()
    assert program.returncode == 1
    assert "Traceback" not in output
    assert "moves.txt, line " in output
    assert "Recorded up to there: " in output
    kifu("record", game, file)
    assert "Sound: 22 entries" in kifu("verify")


@pytest.mark.parametrize("address", ["127.0.0.1:8290", "ftp://example.org", "kifu.example"])
def test_an_address_of_no_service_is_named_and_nothing_was_sent(kifu, address):
    told = kifu.fails("clubs", "create", "Club", KIFU_URL=address, KIFU_TOKEN="x" * 20)
    assert f"no answer from {address}: an address begins with http:// or https://" in told
    assert told.strip().endswith("Give the address of a service, such as http://127.0.0.1:8080.")


def test_on_a_full_disk_each_message_says_to_free_some_space():
    database = sqlite3.OperationalError("database or disk is full")
    database.sqlite_errorcode = sqlite3.SQLITE_FULL
    errors = (database, OSError(errno.ENOSPC, "No space left on device", "x.csv"), NoRoomError(Path("x.csv")))
    assert {[*explain(error)][-1] for error in errors} == {"Free some space, then repeat the command."}


@pytest.mark.programs
@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_that_a_full_disk_does_not_take_says_so(kifu, words):
    with Path("/dev/full").open("w") as full:
        program = kifu.program(*words, stdout=full)
        _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (
        1,
        "kifu: No space left on device\nFree some space, then repeat the command.\n",
    )


def test_a_dataset_without_room_leaves_no_empty_file(kifu, tmp_path, monkeypatch):
    kifu.open()

    def full(file: str) -> None:
        Path(file).touch()
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(dataset, "open_dataset", full)
    told = kifu.fails("dataset", tmp_path / "dataset.db")
    assert "dataset.db: No space left on device" in told
    assert "Free some space" in told
    assert [*tmp_path.glob("*.db*")] == []


def test_a_wrong_setting_is_named(kifu):
    assert "KIFU_THREADS" in kifu.fails("open", "kahuna", KIFU_THREADS="many")
    assert "'x' is not a valid integer" in kifu.fails("serve", KIFU_PORT="x", code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play",), "No such command 'play'"),
        (("show",), "Missing argument 'GAME'"),
        (("show", "last", "--at", "x"), "is not a valid integer"),
        (("replay", "last", "--faster"), "No such option"),
        (("export", "last", "--format", "pdf"), "'pdf' is not one of"),
        (("import",), "Missing argument 'FILES...'"),
        (("backup",), "Missing argument 'TARGET'"),
        (("record", "last", "-", "--wait", "-1"), "-1.0 is not in the range 0 or more."),
        (("record", "last", "-", "--wait", "nan"), "nan is not a number of seconds"),
    ],
)
def test_a_wrong_command_is_a_usage_error(kifu, arguments, message):
    assert message in kifu.fails(*arguments, code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ("rulesets", ".."),
        ("open", "a/b"),
        ("open", ""),
        ("components", "list", "."),
        ("components", "show", "scoresheet", "../../games"),
        ("components", "delete", "scoresheet", ""),
    ],
)
def test_what_can_be_no_name_is_said_to_be_none(kifu, arguments):
    kifu.open()
    assert f"{arguments[-1]!r} is not a valid name" in kifu.fails(*arguments)


@pytest.mark.parametrize(
    "arguments", [("games",), ("note", "last"), ("open", "kahuna", "--title"), ("seat", "last", "1")]
)
def test_what_is_no_text_is_refused_and_nothing_stored(kifu, arguments):
    kifu.open()
    assert "the input is not valid UTF-8" in kifu.fails(*arguments, b"x\xff".decode(errors="surrogateescape"))
    assert "1 entries" in kifu("show", "last")


def test_an_answer_that_is_no_text_is_none(kifu):
    game = kifu.play()
    assert "the input is not valid UTF-8" in kifu.fails("erase", game, 2, stdin=b"\xff\n")


def test_an_entry_that_is_not_there_is_said_before_the_question_whether_to_erase_it(kifu):
    game = kifu.play()
    for answer in (("--yes",), ()):
        said = kifu.fails("erase", game, 99, *answer, stdin="n\n")
        assert "has versions 1 to 6, not 99" in said
        assert "for good?" not in said


def test_an_entry_that_does_not_fit_is_not_counted_where_there_is_only_one(kifu):
    kifu.open()
    assert "data: a claim has scores" in kifu.fails("claim", "last")
    assert "event 0" not in kifu.fails("claim", "last")


def test_read_models_that_may_not_be_written_are_not_said_to_be_mended_by_a_rebuild(tmp_path):
    with pytest.raises(sqlite3.OperationalError) as error:
        sqlite3.connect(tmp_path / "nowhere" / "views.db")
    why, advice = explain(error.value)
    assert "cannot be written: unable to open database file" in why
    assert "rebuild" not in advice


def test_a_fault_of_the_program_asks_to_be_reported(kifu, monkeypatch):
    kifu.open()
    monkeypatch.setattr("service.cli.games.games.all_games", lambda *_, **__: 1 / 0)
    message = kifu.fails("games")
    assert "internal error: ZeroDivisionError" in message
    assert "Please report it" in message
    with pytest.raises(ZeroDivisionError):
        raise kifu.run("games", KIFU_DEBUG="1").exception


@pytest.mark.programs
def test_a_closed_pipe_ends_a_command_quietly(kifu):
    game = kifu.open()
    kifu("record", game, "-", stdin=LONG_NOTE * 50)  # more than a pipe holds
    pipeline = f"{sys.executable} -m service.cli replay {game} | head -1"
    program = subprocess.Popen(["bash", "-c", pipeline], env=environment_of(kifu.data), stdout=-1, stderr=-1, text=True)
    shown, output = program.communicate()
    assert shown.endswith(f"{game}\n")
    assert output == ""


@pytest.mark.programs
def test_an_interrupt_while_the_program_starts_leaves_no_traceback(kifu, tmp_path):
    slow = tmp_path / "msgspec.py"
    slow.write_text("import time\nprint('starting', flush=True)\ntime.sleep(60)\n")
    path = os.pathsep.join([str(tmp_path), environment_of(kifu.data)["PYTHONPATH"]])
    words = [sys.executable, "-m", "service.cli", "games"]
    program = subprocess.Popen(
        words, env=environment_of(kifu.data) | {"PYTHONPATH": path}, stdout=-1, stderr=-1, text=True
    )
    assert program.stdout.readline() == "starting\n"
    program.send_signal(signal.SIGINT)
    _, output = program.communicate()
    assert (program.returncode, output) == (1, "Aborted!\n")


@pytest.mark.programs
def test_an_interrupt_ends_a_command_without_a_traceback(kifu):
    game = kifu.open()
    program = kifu.program("record", game, stdin=subprocess.PIPE)
    program.stdin.write("deal black b c d\n")
    program.stdin.flush()
    assert "deal black" in program.stdout.readline()
    while program.poll() is None:  # as somebody does who sees that nothing happens: Python can lose one interrupt
        program.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            program.wait(10)
    _, output = program.communicate()
    assert program.returncode == 1
    assert output.strip() == "Aborted!"
    assert "2 entries" in kifu("show", game)


@pytest.mark.programs
def test_output_that_is_no_terminal_or_must_not_be_coloured_is_plain(kifu, terminal):
    game = kifu.play()
    assert "\x1b" not in kifu("show", game)
    coloured = terminal("show", game)
    coloured.ends()
    assert "\x1b[33m○" in coloured.raw
    plain = terminal("show", game, NO_COLOR="1")
    plain.ends()
    assert "○" in plain.raw
    assert "\x1b" not in plain.raw


@pytest.mark.programs
def test_what_the_output_cannot_show_is_replaced(kifu):
    program = kifu.program("rulesets", env={"PYTHONIOENCODING": "ascii"})
    shown, _ = program.communicate()
    assert program.returncode == 0
    assert "Kahuna" in shown
