"""Analyses on the command line, which works on the data folder by itself: no workers are there."""

from __future__ import annotations

import csv
import json
import re
from functools import partial

import httpx
import msgspec
import pytest

from games.contract import Effect, Title
from games.kahuna import KAHUNA
from projections.analyses.luck import Counted, Extreme, LuckCounts
from projections.analyses.refining import Chances
from projections.analyses.review import Review, SeatReview, Slip
from projections.analyses.turning import Decision, Option, TurningPoint, TurningPoints
from projections.analyses.worth import LuckEvent, LuckSum, LuckValue, WinChanceShift
from projections.timeline import Entry
from service.api import reviewing
from service.api.answers.games import SeatInfo
from service.cli.games import analyses, analysis_tables, learning, moments
from service.cli.shell import patience, screen, sitters
from service.cli.shell.client import Client, Connection
from service.cli.shell.sitters import Sitters
from service.live.analysis_info import AnalysisInfo
from tests.service.cli.conftest import MOVES

pytestmark = pytest.mark.service("kept")


@pytest.fixture
def game(kifu) -> str:
    found = kifu("open", "kahuna", "--black", "Anna", "--white", "Ben").strip()
    kifu("record", found, "-", stdin=MOVES)
    return found


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.slow
def test_the_timeline_is_told_in_words(kifu):
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="1 7\n9 2\nend\n")
    output = kifu("analyse", game)
    assert "timeline of version 4, seen from: record" in output
    told = " ".join(output.split())
    assert "Ben went ahead first (entry 2). Anna was 6 points behind (entry 2). Anna took the lead and kept it" in told
    assert "Anna got 9 points at once (entry 3). Anna won (entry 4), and was never behind after entry 3." in told
    assert "from entry round" in told
    japanese = kifu("--lang", "ja", "analyse", game)
    assert not re.search("ahead|behind|lead|won|entry|round", japanese)
    assert [row["leaders"] for row in table(kifu("analyse", game, "--csv"))] == ["0 1", "1", "0"]


@pytest.mark.slow
def test_the_moments_of_a_game_are_listed_with_bookmarks(kifu):
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="1 7\n9 2\n")
    assert "Moments" in kifu("analyse", game), "somebody got the most points"
    kifu("note", game, "the plan", "--entry", "3", "--bookmark")
    kifu("record", game, "-", stdin="end\n")
    told = kifu("analyse", game)[:-1].partition("Moments to look at:\n")[2].splitlines()
    assert told[:3] == ["  2  Behind by 6 points: Anna", "  3  ★ the plan", "  5  The last move"]
    assert kifu("show", game)[:-1].partition("Moments to look at:\n")[2].splitlines() == told[:3], "they are known"
    assert "Moments" not in kifu("show", game, "--seat", "public"), "not from there"
    assert "kifu analyse" in kifu.run("show", game, "--seat", "public").stderr
    kifu("erase", game, "4", "--yes")
    assert "Moments" not in kifu("show", game), "nothing is left of what was analysed"
    assert "the plan" not in kifu("analyse", game)
    assert not re.search("Moments|Behind|move", kifu("--lang", "ja", "analyse", game))


def test_swings_that_are_known_are_moments(capsys):
    """Those of the same version and viewpoint, from turning points if they are known."""
    line = {"id": "l", "game": "g", "version": 9, "kind": "win-line", "parameters": {}, "viewpoint": "public"}
    line |= {"revision": "1", "asked_at": "", "status": "done", "done": 1, "planned": 1, "cause": "", "result": None}
    points = line | {"id": "p", "kind": "turning-points"}
    before, after = ({"p": p, "low": p - 0.05, "high": p + 0.05} for p in (0.4, 0.71))
    swing = {"seat": 1, "version": 4, "before": before, "after": after}
    results = {"l": {"swings": [swing | {"version": 3}]}, "p": {"points": [swing]}}
    known = [points, line, line | {"id": "x", "version": 8}, points | {"id": "y", "viewpoint": "record"}]

    def answer(request: httpx.Request) -> httpx.Response:
        name = request.url.path.rpartition("/")[2]
        found = line | {"result": results[name]} if name in results else {"game": "g", "analyses": known, "next": None}
        return httpx.Response(200, json=found)

    http = httpx.Client(base_url="http://kifu.test", transport=httpx.MockTransport(answer))
    found = msgspec.convert(line | {"kind": "timeline"}, AnalysisInfo)
    entries = [as_recorded(version) for version in range(1, 10)]
    table = Sitters(PEOPLE.now, lambda: (entries, {}))
    name = partial(analyses._who, table)
    moments.tell_moments(Client(lambda: Connection(http, "kifu.test")), found, [], table, name)
    assert capsys.readouterr().out == "Moments to look at:\n  4  Ben’s chance to win went from 40 to 71 %\n"
    known.remove(points)
    moments.tell_moments(Client(lambda: Connection(http, "kifu.test")), found, [], table, name)
    assert "  3  Ben" in capsys.readouterr().out
    known.remove(line)
    moments.tell_moments(Client(lambda: Connection(http, "kifu.test")), found, [], table, name)
    assert capsys.readouterr().out == "", "those of other versions and viewpoints are not taken"


def as_recorded(version):
    """An entry of a timeline."""
    return Entry(version=version, place=version, type="move.made", recorded_at="", recorder="", scores=[])


@pytest.mark.slow
def test_who_sat_there_then_is_named_though_somebody_else_does_now(kifu):
    """Not only in the sentences: in the table of an analysis, in an audit, and in a replay."""
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="1 7\n")
    kifu("seat", game, "Ben", "Carl")
    kifu("record", game, "-", stdin="3 5\n")
    kifu("seat", game, "Anna", "Dora")
    kifu("record", game, "-", stdin="1 2\nend\n")
    kifu("seat", game, "Carl", "Emil")
    output = kifu("analyse", game)
    assert "Ben went ahead first (entry 2)" in output, "who left the table kept no lead"
    assert "Carl won, and was never behind (entry 7)" in " ".join(output.split())
    assert re.findall(r"^ *(\d+) +\d+ +(\w+) +\d", output, re.MULTILINE) == [("2", "Ben"), ("4", "Carl"), ("6", "Carl")]
    lines = re.findall(r"^ *\+\d+ +(\w+) .*? (\d+) +scoresheet:", kifu("score", game), re.MULTILINE)
    assert set(lines) == {("Anna", "2"), ("Ben", "2"), ("Anna", "4"), ("Carl", "4"), ("Dora", "6"), ("Carl", "6")}


@pytest.mark.slow
def test_luck_is_told_with_n_expectation_and_what_is_left_out(kifu, game):
    output = kifu("analyse", game, "--kind", "luck-counts", "--seat", "public")
    assert "are left out: their results or their odds are unknown." in output
    assert "cards laid into the row" in output
    assert "Luck was ordinary: chance alone explains the differences in all 12 figures." in output
    (bari,) = (
        row
        for row in table(kifu("analyse", game, "--kind", "luck-counts", "--csv"))
        if (row["kind"], row["what"]) == ("row", "BARI")
    )
    assert (bari["seat"], bari["n"], bari["got"]) == ("", "4", "1")
    assert 0 < float(bari["expected"]) < 1
    assert 0 < float(bari["chance"]) <= 1


def test_entries_are_read_for_names_only_where_somebody_of_then_is_named(kifu, monkeypatch):
    """They are many in a long game."""
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="1 7\n")
    read = list[object]()
    monkeypatch.setattr(sitters, "timeline", lambda *about, **_: read.append(about) or iter(()))
    kifu("analyse", game, "--json")
    kifu("analyse", game, "--csv")
    assert not read
    assert "Ben" in kifu("analyse", game)
    assert len(read) == 1


@pytest.mark.slow
def test_what_the_ruleset_says_in_an_analysis_is_in_the_readers_language(kifu, game):
    japanese = ("--lang", "ja", "analyse", game)
    luck = kifu(*japanese, "--kind", "luck-counts")
    assert KAHUNA.chance_kinds["row"].ja in luck
    assert "cards laid into the row" not in luck
    line = kifu(*japanese, "--kind", "win-line", "--set", "games=100", "--set", "precision=20")
    assert "島優先" in line
    assert "islands first" not in line


@pytest.mark.slow
def test_the_win_line_is_drawn_with_its_interval_its_n_and_who_played(kifu, game):
    output = kifu("analyse", game, "--kind", "win-line", "--set", "games=100", "--set", "precision=20")
    assert "simulated games" in output
    assert "'islands first' (6)" in output
    assert "Anna" in output
    assert ", n = " in output
    assert set(output) & set("▁▂▃▄▅▆▇█")
    rows = table(kifu("analyse", game, "--kind", "win-line", "--set", "games=100", "--set", "precision=20", "--csv"))
    assert {row["seat"] for row in rows} == {"0", "1"}
    assert all(float(row["low"]) <= float(row["p"]) <= float(row["high"]) for row in rows)


@pytest.mark.slow
def test_the_same_analysis_is_there_at_once_and_prints_as_the_service_answers_it(kifu, game):
    first, again = (json.loads(kifu("analyse", game, "--kind", "snapshot", "--json")) for _ in range(2))
    assert first == again
    assert (first["status"], first["result"]["scores"]) == ("done", [0, 0])
    assert "Scores: 0:0" in kifu("analyse", game, "--kind", "snapshot")


def test_an_analysis_is_waited_for_though_the_service_starts_again_meanwhile(monkeypatch):
    info = {"id": "a", "game": "g", "version": 4, "kind": "timeline", "parameters": {}, "viewpoint": "record"}
    info |= {"revision": "1.1", "asked_at": "", "done": 1, "planned": 2, "cause": "", "status": "running"}
    cut = httpx.Response(200, content=b'{"event": "prog')
    away, asked, waited = httpx.Response(503), list[str](), list[float]()
    stream = [cut, away, httpx.Response(502, text="<html>"), cut]
    looks = [away, httpx.Response(200, json=info), *[away] * 9, httpx.Response(200, json=info), away]

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        if request.method == "POST":
            return away if len(asked) == 1 else httpx.Response(202, json=info)
        left = stream if request.url.path.endswith("/stream") else looks
        return left.pop(0) if left else httpx.Response(200, json=info | {"status": "done", "done": 2})

    monkeypatch.setattr(patience.time, "sleep", waited.append)
    monkeypatch.setattr(patience.time, "monotonic", lambda: sum(waited))
    http = httpx.Client(base_url="http://kifu.test", transport=httpx.MockTransport(answer))
    found = analyses.wait_for_analysis(Client(lambda: Connection(http, "kifu.test")), "g", {"kind": "timeline"})
    assert (found.status, found.done, looks) == ("done", 2, [])
    assert asked.count("POST") == 2
    assert sum(waited) > 30


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "games"], "write it as NAME=NUMBER"),
        (["--kind", "tea-leaves"], "'tea-leaves' is not one of"),
        (["--set", "depth=3"], "timeline has no parameters"),
        (["--kind", "win-line", "--set", "precision=0"], "not from 1 to 20"),
        (["--kind", "win-line", "--set", "games=100", "--set", "games=0100"], "--set games=0100: games is set twice"),
    ],
)
def test_what_cannot_be_analysed_so_is_said_in_a_sentence(kifu, game, arguments, said):
    result = kifu.run("analyse", game, *arguments)
    assert result.exit_code != 0
    assert said in result.output


@pytest.mark.slow
def test_what_luck_was_worth_is_told_by_how_many_games_and_not_where_it_is_too_rough(kifu, game):
    how = ("--kind", "luck-value", "--set", "games=100", "--set", "precision=30")
    output = kifu("analyse", game, *how)
    assert "Too little is known to compute the total effect of luck." in " ".join(output.split())
    assert "points of winning chance to Anna" not in output
    assert "more events are left out" in output
    assert "'islands first' (6)" in output
    rows = table(kifu("analyse", game, *how, "--csv"))
    assert {row["seat"] for row in rows} == {"0", "1"}
    assert sum(float(row["worth"]) for row in rows) == pytest.approx(0, abs=0.01)


def worth_of_luck(
    kinds: list[LuckSum], total: list[WinChanceShift], events: list[LuckEvent], wider: float = 1.0
) -> LuckValue:
    return LuckValue(
        policy="toy",
        policy_revision=1,
        blunders=10,
        precision=5,
        enough=True,
        games=90,
        n=4,
        left_out=0,
        total=total,
        kinds=kinds,
        events=events,
        wider=wider,
    )


def test_sums_of_luck_are_told_with_their_margin_up_to_twenty_points(capsys):
    known, rough = WinChanceShift(0.11, 0.04), WinChanceShift(0.3, 0.21)
    kinds = [
        LuckSum(kind=name, title=name, seat=seat, n=2, left_out=0, worth=[worth, worth])
        for name, seat, worth in (("draw", 0, known), ("row", 1, rough))
    ]
    found = worth_of_luck(kinds, [known, rough], [])
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "For every single event, the margin of error is larger than the effect" in output
    assert "2 events of Ann, draw: worth +11 ± 4 points of winning chance to Ann, all together." in output
    assert "All that is known of chance was worth +11 ± 4 points to Ann." in output
    assert "Too little is known to compute the total effect of luck." in output
    assert "30" not in output


def test_single_events_are_told_if_they_are_known_to_have_been_worth_something(capsys):
    """Of three seats: a gain, only losses, one that may be nothing, and one that is known too roughly."""
    worths = [
        [(0.04, 0.08), (0.07, 0.03), (-0.11, 0.08)],
        [(0.06, 0.08), (-0.04, 0.02), (-0.09, 0.03)],
        [(0.02, 0.03), (0.01, 0.03), (-0.03, 0.03)],
        [(0.5, 0.3), (-0.25, 0.24), (-0.25, 0.24)],
    ]
    events = [
        LuckEvent(
            version=number + 2,
            number=0,
            kind="draw",
            seat=0,
            outcome="BARI",
            odds=0.5,
            n=9,
            worth=[WinChanceShift(*each) for each in worth],
        )
        for number, worth in enumerate(worths)
    ]
    kinds = [LuckSum(kind="draw", title="draw", seat=0, n=0, left_out=0, worth=[])]
    names = ("Ann", "Ben", "Cem")
    seats = [SeatInfo(seat, Title(name, name), None, name) for seat, name in enumerate(names)]
    found = worth_of_luck(kinds, [WinChanceShift(0, 0.3)] * 3, events)
    assert [(event.version, names[seat]) for event, seat in analyses._greatest_events(found)] == [
        (3, "Cem"),
        (2, "Ben"),
    ]
    analyses._tell(found, Sitters(seats), 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "−9 ± 3" in output
    assert "+7 ± 3" in output
    assert "50" not in output.replace("50 %", "")
    wider = worth_of_luck(kinds, [WinChanceShift(0, 0.3)] * 3, events, 2.5)
    assert [event.version for event, _ in analyses._greatest_events(wider)] == [3], "±0.03 is ±0.075 of all together"
    analyses._tell(wider, Sitters(seats), 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "−9 ± 8" in output
    assert "These stand out of 4 events of chance" in output


@pytest.mark.slow
def test_turning_points_are_told_with_what_else_could_be_done_and_the_fork_for_it(kifu, game):
    output = kifu("analyse", game, "--kind", "turning-points", "--set", "games=100", "--set", "precision=20")
    assert "No turn changed the chances" in output or re.search(r"kifu fork --at \d+ --after \d+", output)
    assert "less precisely than requested" in output or "to within ± 20 points" in output


@pytest.mark.slow
def test_a_review_tells_each_seat_how_it_played_and_what_was_better(kifu, game):
    how = ("--kind", "review", "--set", "games=100", "--set", "precision=20")
    output = kifu("analyse", game, *how)
    assert output.count("too little is known to tell an accuracy; ") + output.count("accuracy ") >= 2
    assert re.search("slips? (is|are) known|too few games were simulated to tell slips", output)
    rows = table(kifu("analyse", game, *how, "--csv"))
    assert all(row["made"] in {"True", "False"} for row in rows)


PEOPLE = Sitters([SeatInfo(seat, Title(name, name), None, name) for seat, name in enumerate(("Ann", "Ben"))])


def reviewed() -> Review:
    """A review in which the first seat has one slip."""
    taken = Effect("card.taken", "kahuna:DRAW-2", 0, ("BARI",))
    made = Option("+BARI", 96, Chances(0.4, 0.35, 0.45), [taken])
    better = Option("+COCO", 96, Chances(0.6, 0.55, 0.65))
    loss, luck = WinChanceShift(0.2, 0.07), WinChanceShift(0.11, 0.04)
    slip = Slip(version=4, after=3, made=made, better=better, others=[], loss=loss)
    seats = [
        SeatReview(
            seat=seat,
            turns=12,
            cost=WinChanceShift(0.03, 0.02),
            accuracy=Chances(0.87, 0.8, 0.95),
            luck=WinChanceShift(sign * luck.p, luck.margin),
            without_luck=WinChanceShift(0.5 + sign * 0.04, 0.04),
            examined=3,
            slips=[slip] if seat == 0 else [],
        )
        for seat, sign in enumerate((-1, 1))
    ]
    return Review(
        policy="toy",
        policy_revision=1,
        blunders=10,
        precision=5,
        enough=True,
        games=90,
        left_out=0,
        seats=seats,
        over=True,
    )


def test_a_slip_is_told_in_words_and_in_columns(capsys):
    found = reviewed()
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "Ann: accuracy 87 % (80 to 95), by 12 turns; 1 slip is known" in output
    made = "+BARI (Black took BARI from the row) 40 % (35 to 45), n = 96"
    assert f"entry 4: {made}; better: +COCO 60 % (55 to 65), n = 96, by 20 ± 7 points" in output
    assert "kifu fork --at 40 --after 3" in output
    assert "Without luck it stands 46 : 54." in output
    assert "It compares with a policy that makes 10 of 100 moves at random: it can be high despite slips." in output
    assert [(row["move"], row["better"]) for row in analysis_tables.rows_of(found)] == [
        ("+BARI", False),
        ("+COCO", True),
    ]


def test_the_luck_of_a_review_is_told_by_sides_where_teams_play():
    """It read “Ann 50 %, Cem 50 %” of a team that had won."""
    found = reviewed()
    seats = [msgspec.structs.replace(found.seats[seat % 2], seat=seat) for seat in range(4)]
    found = msgspec.structs.replace(found, seats=seats, sides=[[0, 2], [1, 3]])
    told = [*reviewing.luck_sentences(found, ("Ann", "Ben", "Cem", "Dan").__getitem__)]
    assert told == [
        "All that is known of chance was worth −11 ± 4 points to Ann and Cem.",
        "All that is known of chance was worth +11 ± 4 points to Ben and Dan.",
        "Without luck it stands 46 : 54.",
    ]
    assert len([*reviewing.review_sentences(found, ("Ann", "Ben", "Cem", "Dan").__getitem__, str)]) > 4 + len(told)


def test_a_review_of_too_few_games_says_why_it_tells_no_slip_and_what_to_ask_for(capsys):
    found = reviewed()
    assert reviewing.no_slip_text(found) == "No move is known to have been a slip."
    found.seats[1] = msgspec.structs.replace(found.seats[1], unclear=2, accuracy=None)
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "Ben: too little is known to tell an accuracy; too few games were simulated to tell slips" in output
    assert output.count("Ask for a finer review to learn of slips: a smaller precision, or more games.") == 1
    assert "64 if 10 points in each turn." in output
    found.seats[0] = msgspec.structs.replace(found.seats[0], unclear=1, accuracy=None)
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "1 slip is known" in output, "a slip that is known is told"
    assert "64 if" not in output, "no accuracy is told"
    assert "Ask for a finer review: a smaller precision, or more games." in reviewing.no_slip_text(found)


def test_a_seat_without_a_judged_turn_is_not_said_to_have_no_slip():
    found, finer = reviewed(), "Ask for a finer review to learn of slips: a smaller precision, or more games."
    unjudged = [msgspec.structs.replace(own, turns=0, accuracy=None, slips=[]) for own in found.seats]
    mixed = msgspec.structs.replace(found, seats=[unjudged[0], found.seats[1]])
    told = [*reviewing.review_sentences(mixed, ("Ann", "Ben").__getitem__, str)]
    assert told[0] == "Ann: no turn could be judged"
    assert told[1].endswith("; no slip is known")
    assert finer not in told
    assert reviewing.no_slip_text(mixed) == "No move is known to have been a slip."
    opened = msgspec.structs.replace(found, seats=unjudged)
    assert reviewing.no_slip_text(opened) == "No turn could be judged."
    for few in (mixed, opened):
        rough = msgspec.structs.replace(few, enough=False)
        assert [*reviewing.review_sentences(rough, ("Ann", "Ben").__getitem__, str)][-1] == finer
        assert reviewing.no_slip_text(rough).startswith("Too few games were simulated to tell slips.")


def test_a_seat_with_turns_that_could_not_be_judged_says_how_many_could():
    """Before, it read “0 slips are known”, as if all of its turns had been looked at."""
    found = reviewed()
    partial = msgspec.structs.replace(found.seats[1], played=found.seats[1].turns + 7)
    some = msgspec.structs.replace(found, seats=[found.seats[0], partial])
    told = [*reviewing.review_sentences(some, ("Ann", "Ben").__getitem__, str)]
    turns = partial.turns
    assert told[1].startswith(f"Ben: of {turns + 7} turns, {turns} could be judged; accuracy 87 % (80 to 95), by ")
    assert told[1].endswith("; no slip is known in them")
    assert "could be judged" not in told[0]
    few = "In the turns that could be judged, no move is known to have been a slip."
    assert reviewing.no_slip_text(some) == few
    blind = msgspec.structs.replace(partial, accuracy=None)
    assert reviewing.accuracy_text(blind).startswith(f"of {turns + 7} turns, {turns} could be judged; too little")


@pytest.mark.parametrize(
    ("luck", "said"),
    [
        (0.54, "Ben won with 54 ± 4 points of luck; without luck it stands 54 : 46."),
        (-0.11, "Ben won against luck, which cost 11 ± 4 points; without luck it stands 0 : 100."),
        (0.03, "Ben won; what luck did is too close to tell (+3 ± 4 points)."),
    ],
)
def test_what_luck_did_for_the_winner_is_told_in_one_sentence(capsys, luck, said):
    found = reviewed()
    for seat, (result, sign) in enumerate(((0, -1), (1, 1))):
        own = {"luck": WinChanceShift(sign * luck, 0.04), "without_luck": WinChanceShift(result - sign * luck, 0.04)}
        found.seats[seat] = msgspec.structs.replace(found.seats[seat], **own)
    analyses._tell(found, PEOPLE, 40, "kahuna")
    assert said in " ".join(capsys.readouterr().out.split())


def test_without_simulated_games_no_precision_is_claimed(capsys):
    analyses._tell(msgspec.structs.replace(reviewed(), games=0), PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert output.endswith("No games were simulated.")
    assert "to within" not in output


def test_a_result_without_luck_is_told_if_it_is_known_of_all_seats(capsys):
    found = reviewed()
    rough = WinChanceShift(0.1, 0.3)
    found.seats[1] = msgspec.structs.replace(found.seats[1], luck=rough, without_luck=None)
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert NOT_TOLD in output
    assert not re.search("Without luck|All that is known of chance", output)
    analyses._tell(msgspec.structs.replace(found, over=False), PEOPLE, 40, "kahuna")
    assert "What luck was worth" not in capsys.readouterr().out, "a game that goes on has no result"


def test_a_result_without_luck_that_is_not_known_is_said_to_be_so_also_if_luck_is(capsys):
    """Somebody resigned where the chances are known roughly."""
    found = reviewed()
    found.seats[:] = [msgspec.structs.replace(own, without_luck=None) for own in found.seats]
    analyses._tell(found, PEOPLE, 40, "kahuna")
    assert NOT_TOLD in " ".join(capsys.readouterr().out.split())


BROUGHT = Extreme("die", "dice", None, None, 1, 30, Counted(21, 15.04, 2.1, 2.84, 0.0005), 0.018, stands_out=True)
NOT_TOLD = "The worth of luck is not known: the simulated games do not show it to within 20 points."


def counted_told(capsys, counts, *, worth=None, over=True):
    """What the command says of a review with these counts of luck, whose worth is known only if it is given."""
    found = msgspec.structs.replace(reviewed(), over=over, luck_counts=counts)
    rough = {"luck": WinChanceShift(0.1, 0.3), "without_luck": None}
    found.seats[:] = [msgspec.structs.replace(own, **({} if worth else rough)) for own in found.seats]
    analyses._tell(found, PEOPLE, 40, "kahuna")
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("extreme", "said"),
    [
        (
            BROUGHT,
            "Dice · brought to Ben: 21, 6.0 more than expected (15.0). That is the most extreme of 36 figures: "
            "by chance alone, one of so many is as far off in at most 2 of 100 games.",
        ),
        (
            msgspec.structs.replace(BROUGHT, seat=0, outcome="brick", brought_to=None, count=Counted(1, 4.5, 1, -3)),
            "Dice · Ann · Brick: 1, 3.5 fewer than expected (4.5).",
        ),
        (
            msgspec.structs.replace(BROUGHT, by_chance=0.3, stands_out=False),
            "Luck was ordinary: chance alone explains the differences in all 36 figures.",
        ),
    ],
)
def test_a_review_tells_the_luck_by_counts_where_its_worth_is_not_known(capsys, extreme, said):
    counts = LuckCounts(220, 80, [], 36, extreme)
    for over in (True, False):
        output = counted_told(capsys, counts, over=over)
        assert said in output
        assert (NOT_TOLD in output) == over
        assert "All figures of luck: kifu analyse --kind luck-counts" in output
    known = counted_told(capsys, counts, worth=True)
    assert "Without luck it stands 46 : 54." in known
    assert not re.search("figures|not told", known.replace("All figures of luck", "")), "its worth says more"


def test_a_review_says_that_too_little_is_known_where_no_worth_of_luck_is(capsys):
    """In Verräter nobody notes the supply cards, and the deal is not weighed."""
    found = msgspec.structs.replace(reviewed(), luck_counts=LuckCounts(12, 39, [], 12))
    nothing = {"luck": WinChanceShift(0.0, 0.0), "without_luck": None}
    found.seats[:] = [msgspec.structs.replace(own, **nothing) for own in found.seats]
    analyses._tell(found, PEOPLE, 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "The worth of luck is not known: too little is known of what came by chance." in output
    assert "simulated games do not show" not in output
    analyses._tell(msgspec.structs.replace(found, luck_counts=LuckCounts(0, 0, [])), PEOPLE, 40, "kahuna")
    assert not re.search("luck", capsys.readouterr().out), "somebody resigned before the first die"


def test_a_review_says_that_luck_is_hidden_where_no_event_is_known(capsys):
    output = counted_told(capsys, LuckCounts(0, 12, []))
    assert "Not enough is known: the results of 12 events of chance are hidden from here." in output


@pytest.mark.parametrize(
    ("luck", "without_luck", "over"),
    [(WinChanceShift(0.1, 0.05), None, False), (WinChanceShift(0, 0), WinChanceShift(1, 0), True)],
)
def test_nothing_is_said_of_luck_while_a_game_goes_on_nor_where_none_is_known(capsys, luck, without_luck, over):
    found = msgspec.structs.replace(reviewed(), over=over)
    found.seats[:] = [msgspec.structs.replace(own, luck=luck, without_luck=without_luck) for own in found.seats]
    analyses._tell(found, PEOPLE, 40, "kahuna")
    assert not re.search("luck|chance was worth", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("+FAAA", "This is as good as the best of these moves, as far as is known."),
        ("+IFFI", "Another move is better."),
    ],
)
def test_a_move_that_is_as_good_as_the_best_as_far_as_is_known_is_not_called_worse(chosen, said):
    (slip,) = reviewed().seats[0].slips
    others = [Option("+FAAA", 96, Chances(0.54, 0.49, 0.59)), Option("+IFFI", 96, Chances(0.5, 0.45, 0.55))]
    question = learning._Question(msgspec.structs.replace(slip, others=others), 0, "kahuna", PEOPLE.now)
    assert next(question._answer(chosen)) == said


def test_a_wrong_answer_is_asked_again_with_the_numbers_that_are_moves(capsys, monkeypatch):
    (slip,) = reviewed().seats[0].slips
    typed = iter(["abc", "0", "3", "-1", "1.5", " 2 "])
    prompts = set()
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: prompts.add(prompt) or next(typed))
    learning._Question(slip, 0, "kahuna", PEOPLE.now).ask()
    output = capsys.readouterr().out
    assert "empty line to go on" in prompts.pop()
    assert prompts <= {"> "}
    assert [line for line in output.splitlines() if "range" in line] == [
        f"Error: {wrong} is not in the range 1 to 2." for wrong in ("0", "3", "-1")
    ]
    assert "This is the best of these moves." in output


@pytest.mark.slow
def test_a_slip_is_asked_about_with_the_board_before_it(kifu, game, monkeypatch):
    result = msgspec.to_builtins(reviewed())
    info = AnalysisInfo(
        id="a",
        game=game,
        version=4,
        kind="review",
        parameters={},
        viewpoint="record",
        revision="1",
        asked_at="",
        status="done",
        done=1,
        planned=1,
        cause="",
        result=result,
    )
    asked = list[dict[str, object]]()
    monkeypatch.setattr(learning, "wait_for_analysis", lambda _client, _game, body: asked.append(body) or info)
    kifu("seat", game, "Anna", "Dora")  # the slip stays Anna's
    (lesson,) = json.loads(kifu("learn", game, "--json", "--at", "4", "--seat", "public"))
    assert asked[-1] == {"kind": "review", "parameters": {}, "seat": "public", "at": 4}
    assert (lesson["version"], lesson["after"], lesson["moves"], lesson["better"]) == (
        4,
        3,
        ["+BARI", "+COCO"],
        "+COCO",
    )
    board = [line.rstrip() for line in lesson["board"].splitlines()]
    assert "ALOA" in lesson["board"]
    for typed, verdict in (
        ("2\n", "This is the best of these moves."),
        ("1\n", "This was played. Another move is better."),
        ("\n", "> +COCO is better than +BARI by 20 ± 7 points."),
    ):
        output = kifu("learn", game, stdin=typed)
        assert "Entry 4, Anna: what would you play? 1 +BARI (Anna took BARI from the row) 2 +COCO A number" in " ".join(
            output.split()
        )
        assert [line.rstrip() for line in output.splitlines()][: len(board)] == board
        assert verdict in " ".join(output.split())
        assert "+COCO 60 % (55 to 65), n = 96 +BARI 40 % (35 to 45), n = 96" in " ".join(output.split())
    (lesson,) = json.loads(kifu("learn", game, "--json"))
    assert (lesson["version"], lesson["after"], lesson["moves"], lesson["better"]) == (
        4,
        3,
        ["+BARI", "+COCO"],
        "+COCO",
    )
    assert lesson["board"].strip()
    kifu("undo", game, "--entry", "3", "--withdraw", "all")
    (again,) = json.loads(kifu("learn", game, "--json"))
    assert again["board"] == lesson["board"], "it is the board that was reviewed, whatever was corrected since"
    japanese = kifu("--lang", "ja", "learn", game, stdin="2\n")
    assert not re.search("Entry|best|better|points", japanese)


def test_an_earlier_version_is_analysed(kifu, game):
    assert "timeline of version 3, seen from: record" in kifu("analyse", game, "--at", "3")


def test_a_score_sheet_has_no_luck_to_weigh_and_that_is_said(kifu):
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Anna", "--seat", "Ben").strip()
    for kind in ("luck-value", "turning-points", "review"):
        result = kifu.run("analyse", game, "--kind", kind)
        assert result.exit_code != 0
        assert f"there is no {kind} for games of scoresheet: " in " ".join(result.output.split())


def test_a_turning_point_is_told_in_words_and_in_columns(capsys):
    even, better = Chances(0.4, 0.35, 0.45), Chances(0.6, 0.55, 0.65)
    options = [Option("+BARI", 96, better), Option("+COCO", 96, even)]
    decision = Decision(version=4, after=3, seat=0, legal=8, tried=5, made=options[0], others=options[1:])
    luck, rest = WinChanceShift(0.11, 0.04), WinChanceShift(0.09, 0.08)
    event = LuckEvent(version=4, number=0, kind="draw", seat=0, outcome="BARI", odds=0.1, n=96, worth=[luck, luck])
    point = TurningPoint(
        seat=0,
        since=3,
        version=4,
        before=even,
        after=better,
        luck=luck,
        rest=rest,
        events=[event],
        left_out=1,
        decisions=[decision],
        unseen=0,
    )
    found = TurningPoints(
        policy="it", policy_revision=1, blunders=10, precision=5, enough=True, games=900, points=[point]
    )
    seats = [SeatInfo(seat, Title("", ""), name, name) for seat, name in enumerate(("Jonas", "Ben"))]
    analyses._tell(found, Sitters(seats), 40, "kahuna")
    output = " ".join(capsys.readouterr().out.split())
    assert "took Jonas from 40 % (35 to 45) to 60 % (55 to 65):" in output
    assert (
        "luck: +11 ± 4 points (1 event, 1 event left out); what was decided, and became known: +9 ± 8 points" in output
    )
    assert (
        "+BARI 60 % (55 to 65), n = 96; instead (5 of 7 other options tried): +COCO 40 % (35 to 45), n = 96" in output
    )
    assert "kifu fork --at 40 --after 3" in output
    rough = msgspec.structs.replace(point, luck=WinChanceShift(0.2, 0.21), rest=WinChanceShift(0, 0.22))
    analyses._tell(msgspec.structs.replace(found, points=[rough]), Sitters(seats), 40, "kahuna")
    unsure = " ".join(capsys.readouterr().out.split())
    assert "luck: too little is known to tell (" in unsure
    hidden = msgspec.structs.replace(point, events=[], luck=WinChanceShift(0, 0))
    analyses._tell(msgspec.structs.replace(found, points=[hidden]), Sitters(seats), 40, "kahuna")
    blind = " ".join(capsys.readouterr().out.split())
    assert "luck: too little is known to tell (0 events, 1 event left out)" in blind, "it is not known to be nothing"
    assert "what was decided, and became known: too little is known to tell." in unsure
    assert [(row["move"], row["made"], row["n"]) for row in analysis_tables.rows_of(found)] == [
        ("+BARI", True, 96),
        ("+COCO", False, 96),
    ]


def test_the_part_of_an_analysis_that_is_done_never_gets_smaller() -> None:
    """What is planned can grow, and another worker can begin anew."""
    bar, tell = screen.part_of("Analysing")
    parts = []
    for done, planned in ((0, None), (5, 10), (6, 20), (0, 20), (15, 20), (30, 20)):
        tell(done, planned)
        parts.append(bar.tasks[0].completed)
    assert parts == [0, 0.5, 0.5, 0.5, 0.75, 1]


def test_luck_before_anything_came_by_chance_is_one_sentence(kifu) -> None:
    """It was a table without rows, and "0 events of chance; 0 more are left out"."""
    told = kifu("analyse", kifu("open", "kahuna").split()[0], "--kind", "luck-counts")
    assert "Nothing has come by chance so far." in told
    assert "0 more" not in told
