"""Recording from the keyboard, and stepping through a game: keys in, what a person reads out."""

from __future__ import annotations

import io
import json
from itertools import count
from typing import TYPE_CHECKING

import httpx
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from service.cli.recording import session
from service.cli.recording.recorder import Recorder
from service.cli.recording.session import Session
from service.cli.shell import patience, screen
from service.cli.shell.client import Client, Connection, UnreachableError
from service.cli.shell.connection import Place, connect
from service.cli.shell.stepper import Stepper
from tests.cases import cases
from tests.plain_http import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CLEAR, TAB, ENTER, CTRL_C, CTRL_D = "\x15", "\t", "\r", "\x03", "\x04"
PASTED, PASTED_END = "\x1b[200~", "\x1b[201~"
RIGHT, LEFT, END, HOME = "\x1b[C", "\x1b[D", "\x1b[F", "\x1b[H"

Typist = "Callable[..., str]"


def recorded(kifu, game):
    entries = json.loads(kifu("replay", game, "--json"))["entries"]
    return [entry.get("notation") or entry["type"] for entry in entries if not entry.get("withdrawn_by")]


@pytest.fixture
def game(kifu) -> str:
    return kifu.play("deal black BARI COCO DUDA\n")


@pytest.fixture
def typist(kifu, game, capsys) -> Typist:
    """Types at the prompt, each line over what stands there, and gives back all that was printed."""

    def work(*lines: str, boards: bool = False, client: Callable[[Client], Client] = lambda client: client) -> str:
        keys = "".join(f"{CLEAR}{line}{ENTER}" for line in lines) + CTRL_C + CTRL_D
        with (
            connect(Place(kifu.data, None, None)) as opened,
            create_pipe_input() as pipe,
            create_app_session(input=pipe, output=DummyOutput()),
        ):
            pipe.send_bytes(keys.encode(errors="surrogateescape"))
            Session(Recorder(client(opened), game, patience=0), boards=boards).run()
        shown = capsys.readouterr()
        return shown.out + shown.err

    return work


@pytest.mark.slow
def test_a_recorder_enters_moves_and_sees_what_follows(kifu, game, typist):
    shown = typist("b-d", "+c/e", "note they smile")
    assert "Black built BARI-DUDA" in shown
    assert "note: they smile" in shown
    assert recorded(kifu, game)[2:] == ["BARI-DUDA", "+COCO/ELAI", "note.added"]


@pytest.mark.slow
def test_the_board_is_drawn_after_every_move_unless_one_does_not_want_it(typist):
    assert typist("b-d", boards=True).count("Round 1, black to move") == 2
    assert typist("b-e").count("Round 1, black to move") == 1


WRONG_LINES = (
    ("! because", "there is no refused move that could be recorded"),
    ("!", "there is no refused move"),
    ("b-z", "expected an island here"),
    ("b-l", "no line joins BARI and LALE"),
    ("x b-d", "Impossible move"),
    ("deal black", "(kahuna:"),
    ("b-d !", "write the reason after !"),
    ("note", "write the text after `note`"),
    ("[x]", "this is the header of a whole game"),
    ("ｂ－ｚ", "expected an island here"),
)
NO_TEXT = ("\udcff", "note \udcff", "b-d ! \udcff", "* points seat=\udcff ! x", "undo \udcff")


def are_in_order(shown: str, messages: Iterable[str]) -> bool:
    """Whether each of these messages comes after the one before."""
    rest = shown
    return all((rest := rest.partition(message)[2] if message in rest else "") for message in messages)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [WRONG_LINES, [(line, "the input is not valid UTF-8") for line in NO_TEXT]],
    ids=["no move", "no text"],
)
def test_a_wrong_line_is_explained_and_the_next_one_is_taken(kifu, game, typist, wrong):
    lines, messages = zip(*wrong, strict=True)
    assert are_in_order(typist(*lines, "b-d"), messages)
    assert recorded(kifu, game)[2:] == ["BARI-DUDA"]


@pytest.mark.slow
def test_a_refused_line_comes_back_to_be_mended(kifu, game, typist):
    typist("b-", f"b-d{ENTER}")
    typist(f"w: a-b{ENTER} ! nobody noticed")
    assert recorded(kifu, game)[2:] == ["BARI-DUDA", "white: ALOA-BARI"]


@pytest.mark.slow
def test_what_is_typed_takes_the_place_of_a_refused_line(kifu, game, typist):
    typist(f"b-z{ENTER}b-d{ENTER}+z{ENTER}{PASTED}+c/e{PASTED_END}")
    assert recorded(kifu, game)[2:] == ["BARI-DUDA", "+COCO/ELAI"]


@pytest.mark.parametrize("into", [END, "\x1b[C", "\x05"])
def test_a_refused_line_is_mended_once_one_goes_into_it(kifu, game, typist, into):
    typist(f"b-{ENTER}{into}d")
    assert recorded(kifu, game)[2:] == ["BARI-DUDA"]


def test_ctrl_c_lets_go_of_a_refused_line_at_once(kifu, game, typist):
    assert "Nothing was sent." in typist(f"b-z{ENTER}{CTRL_C}b-d")
    assert recorded(kifu, game)[2:] == ["BARI-DUDA"]


def test_what_is_no_text_is_not_tried_out_while_it_is_typed(kifu, game):
    with connect(Place(kifu.data, None, None)) as client:
        tried = Session(Recorder(client, game, 0), boards=False)._preview
        assert [tried(line) for line in ("\udcff", "b-d ! \udcff", "undo \udcff")] == [""] * 3


def test_the_place_of_a_mistake_is_pointed_at(typist):
    shown = typist("b-d (z)", "show 漢")
    pointers = [line for line in shown.splitlines() if line.strip() == "^"]
    assert [line.index("^") for line in pointers] == [len("Black> b-d ("), len("Black> show ")]


@pytest.mark.slow
def test_a_move_against_a_rule_is_recorded_once_somebody_says_why(kifu, game, typist):
    shown = typist("w: a-b", "!", "! nobody noticed", "b: b-c ! again")
    assert "(kahuna:SET-2)" in shown
    assert "If it really happened, add ! and the reason." in shown
    assert "write the reason after !" in shown
    assert "it stands: nobody noticed" in shown
    assert recorded(kifu, game)[2:] == ["white: ALOA-BARI", "black: BARI-COCO"]


@pytest.mark.slow
def test_commands_help_look_and_take_back(kifu, game, typist):
    shown = typist("help", "moves", "b-d", "score", "board", "undo", "UNDO", "undo", "", "  ", "quit")
    for part in (
        "Tab completes it",
        "Notation of Kahuna",
        "ALOA-BARI",
        "0:0",
        "Round 1, black to move",
        "Undone: entry 3: BARI-DUDA",
        "Undone: entry 2: deal black BARI COCO DUDA",
        "nothing to undo: only the opening counts",
    ):
        assert part in shown
    assert recorded(kifu, game) == ["game.opened", "entry.withdrawn", "entry.withdrawn"]


def test_help_on_a_narrow_terminal_keeps_words_and_meanings_apart(monkeypatch):
    narrow = Console(width=32, file=io.StringIO(), color_system=None)
    monkeypatch.setattr(screen, "out", lambda: narrow)
    screen.glossary(
        "A line is a move.\n\nquit      leaves; all that was taken is on disk\n"
        "止める    すべての記録は保存されています\n"
        "* ADJUSTMENT + ADJUSTMENT  gives a ruling, in words or points\nmoves     lists"
    )
    assert narrow.file.getvalue().splitlines() == [
        "A line is a move.",
        "",
        "quit      leaves; all that was",
        "          taken is on disk",
        "止める    すべての記録は保存され",
        "          ています",
        "* ADJUSTMENT + ADJUSTMENT",
        "    gives a ruling, in words or",
        "    points",
        "moves     lists",
    ]


@pytest.mark.slow
def test_the_score_names_who_sat_there_then(kifu, game, typist):
    kifu("seat", game, "White", "Yuki")
    typist("* points seat=White points=-1 ! peeked")
    kifu("seat", game, "White", "Zoe")
    typist("* points seat=White points=-2 ! peeked again")
    lines = [line.split() for line in typist("score").splitlines() if line.lstrip().startswith("-")]
    assert [(line[0], line[1]) for line in lines] == [("-1", "Yuki"), ("-2", "Zoe")]


@pytest.mark.slow
def test_the_record_is_mended_from_the_keyboard(kifu, game, typist):
    shown = typist(
        "b-d", "+c/e", "replace 3 b-e", "insert 3 c-k", "reveal 2 deal black BARI COCO DUDA / ? ? ? / ? ? ?", "undo 6",
        "redo", "* points seat=White points=-1 ! peeked", "close abandoned",
    )  # fmt: skip
    for part in (
        "Entry 3 is BARI-ELAI now.",
        "Entry 6 stands after 3: COCO-KAHU",
        "Entry 2 is known as deal black",
        "Undone: entry 6: COCO-KAHU",
        "Entry 6 counts again.",
        "The referee gave White points: -1",
        "The game is closed: abandoned.",
    ):
        assert part in shown
    assert json.loads(kifu("games", "--json"))["games"][0]["status"] == "abandoned"


WRONG_CORRECTIONS = (
    ("undo x", "'x' is not an entry number: write it as undo 7"),
    ("undo 9999999999", "is not an entry number"),
    ("undo 0", "'0' is not an entry number: write it as undo 7"),
    ("insert 0 a-b", "'0' is not an entry number: write it as insert 7 MOVE"),
    ("undo 9", "there is no entry 9"),
    ("redo 5", "redo takes no arguments"),
    ("redo", "nothing to redo"),
    ("replace", "write it as replace 7 MOVE"),
    ("replace 3", "write it as replace 7 MOVE"),
    ("replace x b-d", "'x' is not an entry number: write it as replace 7 MOVE"),
    ("replace 1 b-d", "entry 1 is not a move"),
    ("insert 2 b-z", "expected an island here"),
    ("insert 2 b-d !", "write the reason after !"),
    ("insert 2 w: a-b", "kahuna:SET-2"),
    ("reveal 2 note x", "'note x' is not a move"),
    ("* turn ! why", "turn"),
    ("* turn seat=w", "a ruling needs a reason"),
    ("close won", "close takes no argument, or one of finished, adjudicated, abandoned"),
    ("close finished", "the game has not come to an end"),
)


@pytest.mark.slow
def test_a_wrong_correction_is_explained_and_the_next_line_is_taken(kifu, game, typist):
    lines, messages = zip(*WRONG_CORRECTIONS, strict=True)
    assert are_in_order(typist(*lines, "b-d"), messages)
    assert recorded(kifu, game)[2:] == ["BARI-DUDA"]


@pytest.mark.slow
def test_a_session_asks_what_becomes_of_entries_that_do_not_fit(kifu, game, typist):
    lines = ("b-d", "+c/e", "a-h", "-", "undo 4")
    shown = typist(*lines, "perhaps", "cancel", "undo 4", "k")
    assert "entry 5, white: ALOA-HUNA" in shown
    assert "'perhaps' is not one of keep, withdraw, keep all, withdraw all, cancel" in shown
    assert "cancelled: nothing is stored" in shown
    assert "Undone: entry 4" in shown
    assert recorded(kifu, game)[2:] == ["BARI-DUDA", "white: ALOA-HUNA", "-", "entry.withdrawn"]


def test_a_correction_with_a_lost_answer_is_not_offered_to_be_sent_twice(kifu, game, typist, monkeypatch):
    clock = count(step=10)
    monkeypatch.setattr(patience.time, "monotonic", lambda: next(clock))

    class Lost(Client):
        """A client that never hears whether a correction was stored."""

        def send(self, method, path, kind, body=None, **more):
            super().send(method, path, kind, body, **more)
            raise UnreachableError(self.where, "gone", unsure=True)

    shown = typist("undo", client=lambda client: Lost(lambda: client.connection))
    assert "`board` tries again." in shown
    assert "Your line is kept" not in shown
    assert recorded(kifu, game) == ["game.opened", "entry.withdrawn"]


@pytest.mark.slow
def test_the_end_of_the_game_is_announced(kifu, game, typist, whole_game):
    assert "Undone: entry 2" in typist("undo")
    shown = typist(*whole_game("no_bridge").splitlines(), "moves")
    assert "Anna wins (no bridge, kahuna:LOSS-2)" in shown
    assert "No move is legal: the game is over." in shown


def test_a_line_is_tried_out_while_it_is_typed_and_nothing_is_stored(kifu, game):
    with connect(Place(kifu.data, None, None)) as client:
        tried = Session(Recorder(client, game, 0), boards=False)._preview
        assert tried("b-d") == "→ Black played BARI; Black built BARI-DUDA  0:0"
        assert tried("b-l").startswith("✗ no line joins BARI and LALE")
        assert tried("w: a-b").startswith("✗ ")
        assert tried("w: a-b ! so it was").startswith("→ ")
        assert tried("* turn seat=w ! so be it").startswith("→ The referee gave the turn to White")
        assert [tried(line) for line in ("", "help", "note x", "! x", "[", "note", "undo 2")] == [""] * 7
    assert recorded(kifu, game)[2:] == []


def test_lines_are_not_tried_out_over_a_slow_line(kifu, game, monkeypatch):
    with connect(Place(kifu.data, None, None)) as client:
        tried = Session(Recorder(client, game, 0), boards=False)._preview
        monkeypatch.setattr(session, "PREVIEW_TIMEOUT", 0.0)
        assert [tried("b-d") != "" for _ in range(5)] == [True, True, True, False, False]


def test_what_others_recorded_meanwhile_is_shown_before_ones_own_line_is_sent(kifu, game, typist):
    class Overtaken(Client):
        """A client that sends its first entry just after somebody else's."""

        def __init__(self, inner: Client) -> None:
            super().__init__(lambda: inner.connection)
            self.overtaken = False

        def send(self, method, path, kind, body=None, *, headers=None, **more):
            if headers and not self.overtaken:
                self.overtaken = True
                event = {"id": "01987654-0000-7000-8000-000000000001", "data": {"move": "c-k"}}
                super().send("POST", path, kind, {"events": [event]})
            return super().send(method, path, kind, body, headers=headers, **more)

    shown = typist(f"b-d{ENTER}", client=Overtaken)
    assert "somebody else has recorded meanwhile; your line is not sent yet:" in shown
    assert "COCO-KAHU" in shown
    assert recorded(kifu, game)[2:] == ["COCO-KAHU", "BARI-DUDA"]


@pytest.mark.slow
def test_a_line_with_a_lost_answer_is_kept_and_recorded_once(kifu, game, typist):
    class Cut(httpx.BaseTransport):
        """A line that breaks just after the first entry that goes through it."""

        def __init__(self, inner: httpx.BaseTransport) -> None:
            self.inner, self.broken = inner, False

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = self.inner.handle_request(request)
            if request.method == "POST" and not self.broken:
                self.broken = True
                raise httpx.ReadError("Connection reset by peer", request=request)
            return answer

    def cut(client: Client) -> Client:
        http = client.connection.http
        http._transport = Cut(http._transport)
        return client

    shown = typist(f"b-d{ENTER}+c", client=cut)
    assert "no answer from" in shown
    assert "Your line is kept: Enter sends it again, and it is not recorded twice." in shown
    assert recorded(kifu, game)[2:] == ["BARI-DUDA"]


def test_the_recorder_goes_on_trying_as_long_as_it_has_patience(kifu, game, monkeypatch):
    waited: list[float] = []
    monkeypatch.setattr(patience.time, "sleep", waited.append)
    monkeypatch.setattr(patience.time, "monotonic", lambda: sum(waited))
    with connect(Place(kifu.data, None, None)) as client:
        keeper = Recorder(client, game, patience=30)
        http = httpx.Client(base_url="http://127.0.0.1:1", trust_env=False, verify=PLAIN)
        keeper.client = Client(lambda: Connection(http, "nowhere"))
        with pytest.raises(UnreachableError, match="no answer from nowhere"):
            keeper.send("01987654-0000-7000-8000-000000000001", session.read_line("b-d"))
    assert waited == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0]


@pytest.mark.slow
def test_on_a_terminal_moves_are_completed_and_ctrl_c_loses_nothing(kifu, game, terminal):
    opened = terminal("record", game)
    opened.read_until("Hand ? ? ?", "`quit` leaves", prompt=True)
    opened.type("ej")
    opened.read_until("ELAI-JOJO")
    opened.type(TAB + ENTER)
    opened.read_until("Black built ELAI-JOJO", "● 1", prompt=True)
    opened.type("garbage" + CTRL_C)
    opened.read_until("Nothing was sent.", prompt=True)
    opened.type(CTRL_D)
    assert opened.ends() == 0
    assert recorded(kifu, game)[2:] == ["ELAI-JOJO"]


@pytest.mark.slow
def test_on_a_terminal_a_replay_shows_the_first_entry_until_one_leaves(game, terminal):
    replay = terminal("replay", game)
    replay.read_until("Black Anna, White Ben", "1/2", "opened", "q: quit")
    replay.type("q")
    assert replay.ends() == 0


@cases(
    ("keys", "pages"),
    [
        (RIGHT + " " + "n" + ENTER, [0, 1, 2, 2, 2]),
        (END + LEFT + "p" + "p", [0, 2, 1, 0, 0]),
        ("G" + "g" + END + HOME, [0, 2, 0, 2, 0]),
        ("x", [0]),
    ],
)
def test_keys_step_through_pages(keys, pages):
    shown: list[int] = []
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + "q")
        Stepper(3, lambda at: shown.append(at) or f"page {at}").run()
    assert shown == pages


@pytest.mark.slow
def test_a_page_that_cannot_be_made_ends_the_stepping_with_its_error():
    def page(at: int) -> str:
        if at:
            raise OSError("gone")
        return ""

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(RIGHT)
        with pytest.raises(OSError, match="gone"):
            Stepper(3, page).run()
