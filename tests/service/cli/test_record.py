"""Recording from files and pipes: nothing is lost, nothing is recorded twice, and errors name their line."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from typing import TYPE_CHECKING

import httpx
import pytest

from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.service("kept")

MOVES = """\
deal black BARI COCO DUDA
b-d
+c/e
a-b
-
"""
RECORDED = ["deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI", "ALOA-BARI", "-"]


def notations(kifu, game):
    """The moves and notes of a game that count."""
    entries = json.loads(kifu("replay", game, "--json"))["entries"]
    return [
        entry.get("notation") or entry["text"]
        for entry in entries
        if entry["type"] in {"move.made", "note.added"} and not entry.get("withdrawn_by")
    ]


@pytest.fixture
def game(kifu) -> str:
    return kifu.open("--black", "Anna", "--white", "Ben")


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "evening.txt"
    path.write_text(MOVES, encoding="utf-8")
    return path


def test_every_line_of_a_file_is_recorded_and_told(kifu, game, file):
    output = kifu("record", game, file)
    assert notations(kifu, game) == RECORDED
    assert "Black played BARI; Black built BARI-DUDA" in output
    assert not kifu("record", game, file, "--quiet")


@pytest.mark.slow
def test_the_same_file_again_records_nothing_twice(kifu, game, file):
    kifu("record", game, file)
    again = kifu.run("record", game, file)
    assert "5 entries recorded before." in again.stderr
    assert "0 entries recorded." in again.stderr
    assert notations(kifu, game) == RECORDED


@pytest.mark.slow
def test_a_file_may_get_comments_and_blank_lines_and_move(kifu, game, file, tmp_path):
    kifu("record", game, file)
    (tmp_path / "elsewhere").mkdir()
    moved = file.rename(tmp_path / "elsewhere" / file.name)
    moved.write_text(";our evening\n\n" + MOVES.replace("\n", "  ; well\n") + "+\n", encoding="utf-8")
    kifu("record", game, moved)
    assert notations(kifu, game) == [*RECORDED, "+"]


def test_a_refused_line_ends_the_file_and_everything_before_it_is_recorded(kifu, game, file):
    file.write_text(MOVES + "\n+zz\n+\n", encoding="utf-8")
    message = kifu.fails("record", game, file)
    assert "evening.txt, line 7: +zz: " in message
    assert "Recorded up to there: 5 entries." in message
    assert notations(kifu, game) == RECORDED


@pytest.mark.slow
def test_a_mended_file_goes_on_where_it_was_refused(kifu, game, file):
    file.write_text(MOVES + "+zz\n", encoding="utf-8")
    kifu.fails("record", game, file)
    file.write_text(MOVES + "+\nh-l\n", encoding="utf-8")
    assert "2 entries recorded." in kifu.run("record", game, file).stderr
    assert notations(kifu, game) == [*RECORDED, "+", "HUNA-LALE"]


@pytest.mark.slow
def test_a_changed_line_that_was_recorded_is_refused_by_name(kifu, game, file):
    kifu("record", game, file)
    file.write_text(MOVES.replace("a-b", "a-h"), encoding="utf-8")
    message = kifu.fails("record", game, file)
    assert "evening.txt, line 4: a-h: recorded before as entry 5, ALOA-BARI" in message
    assert notations(kifu, game) == RECORDED


@pytest.mark.slow
def test_entries_that_were_taken_back_can_be_mended_in_the_file(kifu, game, file):
    kifu("record", game, file)
    kifu("undo", game)
    kifu("undo", game)
    file.write_text(MOVES.replace("a-b", "a-h"), encoding="utf-8")
    for _ in range(2):
        kifu("record", game, file)
        assert notations(kifu, game) == [*RECORDED[:3], "ALOA-HUNA", "-"]


@pytest.mark.slow
def test_an_entry_taken_back_in_the_middle_is_not_recorded_in_the_wrong_place(kifu, game, file):
    file.write_text(MOVES + "note one\nnote two\n", encoding="utf-8")
    kifu("record", game, file)
    kifu("undo", game, "--entry", 7)
    message = kifu.fails("record", game, file)
    assert "entry 6 of evening.txt is not in the game, but a later one is, as entry 8" in message
    assert notations(kifu, game) == [*RECORDED, "two"]


@pytest.mark.slow
def test_another_file_goes_on_with_the_same_moves(kifu, game, file, tmp_path):
    kifu("record", game, file)
    more = tmp_path / "later.txt"
    more.write_text("+\nh-l\n-\n", encoding="utf-8")
    kifu("record", game, more)
    more.write_text("+\nh-l\n-\n+\n", encoding="utf-8")
    kifu("record", game, more)
    assert notations(kifu, game) == [*RECORDED, "+", "HUNA-LALE", "-", "+"]


@pytest.mark.slow
def test_standard_input_is_new_each_time_unless_it_has_a_key(kifu, game, file):
    kifu("record", game, file)
    for _ in range(2):
        kifu("record", game, stdin="+\n")
    assert notations(kifu, game) == [*RECORDED, "+", "+"]
    for _ in range(2):
        kifu("record", game, "--key", "round two", stdin="h-l\n")
    assert notations(kifu, game) == [*RECORDED, "+", "+", "HUNA-LALE"]


def test_a_move_that_broke_a_rule_is_recorded_with_its_reason(kifu, game):
    refused = kifu.fails("record", game, stdin="deal black b c d\nw: a-b\n")
    assert "(kahuna:SET-2)" in refused
    assert "add `!` and the reason" in refused
    output = kifu("record", game, stdin="w: a-b ! nobody noticed\nnote they laughed\n")
    assert "it stands: nobody noticed" in output
    assert "note: they laughed" in output


def test_rulings_are_recorded_as_they_stand_in_a_text(kifu, game):
    output = kifu(
        "record", game, stdin="deal black\n* points seat=White points=-1 + turn seat=w ! peeked\n* ! no talking\n"
    )
    assert "points seat=White points=-1 + turn seat=White" in output
    assert "The referee gave White points: -1" in output
    assert "a house rule in words" in output
    entries = json.loads(kifu("replay", game, "--json"))["entries"]
    assert [entry.get("text") for entry in entries[2:]] == ["peeked", "no talking"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("zz", "line 2: zz: Invalid notation: expected an island here"),
        ("b-z", "expected an island here"),
        ("b-l", "no line joins BARI and LALE"),
        ("x b-d", "Impossible move"),
        ("deal black", "kahuna:"),
        ("!", "line 2: !: write a move, or * and a ruling, before !"),
        ("! why", "write a move, or * and a ruling, before !"),
        ("*", "a ruling needs a reason: write ! and the reason after it"),
        ("* points seat=White points=1", "a ruling needs a reason"),
        (
            "* points seat=Red points=1 ! why",
            "'Red' is not a seat: the seats are Black (Anna), White (Ben), or 1 to 2.",
        ),
        ("* bribe ! why", "a ruling of kahuna begins with one of points"),
        ("b-d !", "write the reason after !"),
        ("note", "write the text after `note`"),
        ('[Ruleset "kahuna"]', "the header of a whole game: `kifu import` takes that"),
        ("b-d\x00", "line 2: "),
        ("note " + "x" * 5000, "data.text"),
        ("ｂ－ｚ", "expected an island here"),
        (b"\xff\xfe", "not text in UTF-8"),
    ],
)
def test_a_wrong_line_says_what_is_wrong_with_it(kifu, game, line, message):
    lines = b"deal black b c d\n" + (line if isinstance(line, bytes) else line.encode()) + b"\n"
    output = kifu.fails("record", game, "-", stdin=lines)
    assert message in output
    assert "Recorded up to there: 1 entry." in output


def test_text_with_a_byte_order_mark_and_foreign_line_ends_is_read(kifu, game, file):
    file.write_bytes(b"\xef\xbb\xbf" + MOVES.replace("\n", "\r\n").encode())
    kifu("record", game, file)
    assert notations(kifu, game) == RECORDED


def test_a_file_that_is_missing_or_a_folder_is_a_usage_error(kifu, game, tmp_path):
    assert "does not exist" in kifu.fails("record", game, tmp_path / "none.txt", code=2)
    assert "is a directory" in kifu.fails("record", game, tmp_path, code=2)


@pytest.mark.slow
def test_a_whole_game_recorded_from_a_file_ends_as_it_did(kifu, game, file, whole_game):
    file.write_text(whole_game("points"), encoding="utf-8")
    kifu("record", game, file)
    assert "Anna wins (points, kahuna:WIN-1)" in kifu("show", game)
    assert "+3  Anna  round-3" in kifu("score", game)


@pytest.mark.programs
def test_a_recording_that_is_killed_goes_on_when_it_is_given_again(kifu, game, file, whole_game):
    file.write_text(whole_game("points"), encoding="utf-8")
    for lines in (9, 40):
        program = kifu.program("record", game, file)
        for _ in range(lines):
            assert program.stdout.readline()
        program.kill()
        program.communicate()
    kifu("record", game, file)
    assert notations(kifu, game) == whole_game("points").splitlines()
    assert "Sound: " in kifu("verify")


class LossyService:
    """A service on a data folder that carries out every request, and loses every other answer to a POST."""

    def __init__(self, data: Path) -> None:
        self._app = create_app(Settings(data=data))
        self.token = self._app.context.owner_token
        self._server = HTTPServer(("127.0.0.1", 0), self._handler(httpx.WSGITransport(self._app)))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @staticmethod
    def _handler(transport: httpx.WSGITransport) -> type[BaseHTTPRequestHandler]:
        inner = httpx.Client(transport=transport, base_url="http://localhost")
        posted = count(1)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._relay(inner.get(self.path, headers=self._kept()))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = inner.post(self.path, content=body, headers=self._kept())
                if next(posted) % 2 == 0:
                    self._relay(answer)

            def _kept(self) -> dict[str, str]:
                return {name: self.headers[name] for name in ("Authorization", "Content-Type") if name in self.headers}

            def _relay(self, answer: httpx.Response) -> None:
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._app.close()


@pytest.fixture
def lossy(kifu, game) -> Iterator[LossyService]:
    kifu.end()
    service = LossyService(kifu.data)
    yield service
    service.close()


def test_an_entry_with_a_lost_answer_is_sent_again_and_recorded_once(kifu, game, file, lossy):
    file.write_text("".join(MOVES.splitlines(keepends=True)[:2]), encoding="utf-8")
    there = {"KIFU_URL": lossy.url, "KIFU_TOKEN": lossy.token}
    result = kifu.run("record", game, file, **there)
    assert "Trying again …" in result.stderr
    assert "2 entries recorded." in result.stderr
    answer = json.loads(kifu("replay", game, "--json", **there))
    assert [entry.get("notation") for entry in answer["entries"]] == [None, *RECORDED[:2]]


@pytest.mark.slow
def test_every_command_that_writes_asks_again_when_its_answer_is_lost(kifu, game, lossy):
    there = {"KIFU_URL": lossy.url, "KIFU_TOKEN": lossy.token}
    kifu("note", game, "rain", **there)
    other = kifu("open", "kahuna", **there).strip()
    assert len(json.loads(kifu("replay", game, "--json", **there))["entries"]) == 2
    assert other != game
    kifu("undo", game, **there)
    assert len(json.loads(kifu("replay", game, "--json", **there))["entries"]) == 3


def test_when_patience_ends_one_can_give_the_same_command_again(kifu, game, file, lossy):
    there = {"KIFU_URL": lossy.url, "KIFU_TOKEN": lossy.token}
    message = kifu.fails("record", game, file, "--wait", 0, **there)
    assert "evening.txt, line 1: deal black BARI COCO DUDA: no answer from http://127.0.0.1:" in message
    assert "It may be recorded already: repeat the command." in message


@pytest.mark.slow
def test_a_fight_with_cards_face_down_is_recorded_from_a_pipe(kifu):
    game = kifu("open", "manapani", "--player-1", "Aiko", "--player-2", "Jonas").strip().splitlines()[0]
    moves = ["start 1", "11", "claim", "1 1", "at 2", "def 1", "rev kob mer / gob", "pay kob", "pay mer y", "-"]
    kifu("record", game, stdin="\n".join(moves))
    assert notations(kifu, game)[-4:] == ["reveal Kobold Merfolk / Goblin", "pay Kobold", "pay Merfolk y", "done"]
    shown = kifu("show", game)
    assert "P2 o" in shown
    assert "Invented board and deck" in shown
