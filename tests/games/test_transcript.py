"""Games as text: headers, one move a line, overrides and comments."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import transcript
from games.adjustments import Points, Turn
from games.contract import PUBLIC, Adjustment
from games.errors import BadOpeningError, ImpossibleError, NotationError, RuleBrokenError, TranscriptError
from games.examination.plays import random_game, random_game_with_rulings
from games.kahuna import KAHUNA
from games.rulesets import RULESETS
from games.transcript import Comment, Opening, Transcript, TranscriptStep, WrittenEntry
from tests import tiers
from tests.games.conftest import games_of

if TYPE_CHECKING:
    from games.examination.plays import Play

EVEN, ODD = (slice(None), slice(None)) if tiers.SOAK else (slice(0, None, 2), slice(1, None, 2))
"""In the short run every setting is played once: every other one as it is seen from outside."""

HEAD = '[Ruleset "kahuna"]\n[Black "Aiko"]\n'

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
"""Every kind of note, and more: line ends, blanks before and after, control characters."""
misread = st.sampled_from(
    [
        "breaks kahuna:SET-2",
        "breaks catan_cards:Q21b, kahuna:SET-2",
        "bookmark:",
        "bookmark: there",
        '"',
        '"quoted"',
        '"\\\\u0041"',
        '"half',
        "two\nlines",
        "two\r\nlines\r",
        "  blanks  ",
        "\u3000全角",
        "a\u2028b\x85c\x0bd",
        "; ! * [",
        '[Title "x"]',
        "!",
        "\\",
    ]
)
"""What a text can hold that has a meaning of its own somewhere in the format."""
notes = texts | misread | st.tuples(misread, texts).map("".join)
titles = st.text(st.characters(exclude_categories=["Cs", "Cc"])) | st.sampled_from(['"', "\\", " a  b ", "a\u2028b"])


def read(text: str) -> Transcript:
    (game,) = transcript.read(text)
    return game


def replay(moves: str) -> list[transcript.Replayed]:
    return list(transcript.replay(KAHUNA, read(f"{HEAD}\n{moves}")))


def test_a_game_is_headers_and_one_move_a_line():
    game = read(HEAD + "; windy\n\ndeal black\n\n  BARI-DUDA  ; bold\n; too bold\n+ ! white was first ; so it was\n")
    assert game.tags == {"Ruleset": "kahuna", "Black": "Aiko"}
    assert game.comments == (Comment("windy"),)
    assert game.entries == (
        WrittenEntry("deal black", None, (), 5),
        WrittenEntry("BARI-DUDA", None, (Comment("bold"), Comment("too bold")), 7),
        WrittenEntry("+", "white was first", (Comment("so it was"),), 9),
    )


def test_a_text_can_hold_many_games():
    first, second = transcript.read(HEAD + "deal black\n" + HEAD + "deal white")
    assert [game.entries[0].text for game in (first, second)] == ["deal black", "deal white"]
    assert (first.line, second.line) == (1, 4)


def test_an_empty_text_holds_no_game():
    assert list(transcript.read("\ufeff\n  \n")) == []


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", " \n", "\x0b\n"])
def test_millions_of_blank_lines_take_no_memory_and_are_counted(end):
    blanks = end * (1 << 20)
    text = f"{HEAD}{blanks}deal black{blanks}+"
    tracemalloc.start()
    (game,) = transcript.read(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(text) + (1 << 20)
    before = HEAD.count("\n")
    assert [entry.line for entry in game.entries] == [before + 1 + (1 << 20), before + 1 + (2 << 20)]


@pytest.mark.slow
def test_many_comments_below_one_move_are_read_in_one_go():
    """Each took a copy of all before it: a text of a megabyte took hours."""
    (game,) = transcript.read(HEAD + "+\n" + "; x\n" * 300_000)
    assert len(game.entries[0].comments) == 300_000


@pytest.mark.parametrize("sign", ["!", ";", '"', "a", "["])
def test_a_line_without_an_end_is_refused(sign):
    with pytest.raises(TranscriptError, match="a line has at most 262144 characters"):
        list(transcript.read(HEAD + "+\n" + sign * (1 << 20)))


def test_a_game_of_too_many_entries_is_given_up_at_the_first_one_too_many():
    text = HEAD + "+\n; so\n+\n" + "+\n" * 1000
    with pytest.raises(TranscriptError, match="a game has at most 3 moves"):
        list(transcript.read(text, 3))
    assert len(next(transcript.read(text, 1003)).entries) == 1002


def test_values_of_headers_may_hold_quotation_marks_and_backslashes():
    assert read('[Ruleset "kahuna"]\n[Title "the \\"last\\" \\\\ one"]').tags["Title"] == 'the "last" \\ one'


commented = st.lists(st.builds(Comment, notes, st.booleans()), max_size=3).map(tuple)


@given(
    st.dictionaries(st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True), titles),
    st.lists(st.tuples(st.none() | notes.filter(str.strip), commented), max_size=4),
    commented,
)
@pytest.mark.slow
def test_what_is_written_is_read_back(values, effective_moves, comments):
    tags = values | {"Ruleset": "kahuna"}
    written = ["-", "", 'turn seat="a ; b ! c"']
    broken = [("kahuna:SET-2", "catan_cards:Q21b", "verraeter:16"), (), ()]
    entries = tuple(
        WrittenEntry(
            written[number % 3],
            reason if reason is not None or not number % 3 else "why",
            found,
            ruling=number % 3 > 0,
            broken=broken[number % 3],
        )
        for number, (reason, found) in enumerate(effective_moves)
    )
    text = transcript.write(Transcript(tags, entries, comments))
    game = read(text)
    assert game.tags == tags
    assert game.comments == comments
    assert [msgspec.structs.replace(entry, line=0) for entry in game.entries] == list(entries)
    assert transcript.write(game) == text


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ('; "two\\nlines"', Comment("two\nlines")),
        ('; "Well," he said', Comment('"Well," he said')),
        ('; "a" and "b"', Comment('"a" and "b"')),
        ('; "\\x"', Comment('"\\x"')),
        ("; bookmark: the turning point", Comment("the turning point", bookmark=True)),
        ("; bookmark this", Comment("bookmark this")),
        ("; breaks the ice", Comment("breaks the ice")),
    ],
)
def test_a_comment_is_what_stands_there_unless_all_of_it_is_a_string(line, comment):
    assert read(f"{HEAD}deal black\n{line}\n").entries[0].comments == (comment,)


def test_every_rule_of_every_ruleset_can_be_named_as_broken():
    for ruleset in RULESETS.values():
        for rule in ruleset.rulebook:
            entries = (WrittenEntry("-", "why", broken=(rule, "kahuna:SET-2")),)
            (entry,) = read(transcript.write(Transcript({"Ruleset": ruleset.name}, entries))).entries
            assert (entry.broken, entry.comments) == ((rule, "kahuna:SET-2"), ())


@pytest.mark.slow
def test_a_written_game_replays_to_the_same_moves(ruleset):
    for setting, seed in games_of(ruleset)[EVEN]:
        _replays_to_the_same_moves(random_game(ruleset, setting, seed))


def _replays_to_the_same_moves(play: Play) -> None:
    opening = Opening(play.options, None, play.seats, play.revision)
    moves = [step.move for step in play.steps]
    entries = transcript.transcribe(play.ruleset, opening, [TranscriptStep(move=move) for move in moves])
    outcome = play.steps[-1].after.outcome()
    tags = transcript.tags(play.ruleset, opening, {0: "Aiko"}, outcome, Place="home")
    game = read(transcript.write(Transcript(tags, entries)))
    assert transcript.opening(play.ruleset, game) == opening
    assert [step.move for step in transcript.replay(play.ruleset, game)] == moves


@pytest.mark.parametrize("seats", ["99", "99999999999"])
def test_seats_that_no_game_has_are_refused_before_anybody_sits_there(ruleset, seats):
    game = read(f'[Ruleset "{ruleset.name}"]\n[Seats "{seats}"]\n\n')
    with pytest.raises(BadOpeningError, match=f"players, not {seats}"):
        transcript.opening(ruleset, game)
    with pytest.raises(TranscriptError, match=f"players, not {seats}"):
        next(transcript.replay(ruleset, game))


@pytest.mark.slow
def test_a_game_seen_from_outside_is_written_without_what_was_hidden(ruleset):
    """Cards that a random game draws can contradict what everybody saw, if too many arrangements are possible."""
    for setting, seed in games_of(ruleset)[ODD]:
        _is_written_as_seen_from_outside(random_game(ruleset, setting, seed))


def _is_written_as_seen_from_outside(play: Play) -> None:
    opening = Opening(play.options, None, play.seats)
    moves = [step.move.seen(PUBLIC) for step in play.steps]
    state, steps = play.ruleset.open(play.options, None, play.seats), []
    for move in moves:
        steps.append(TranscriptStep(move=move, reason="so it was" if list(state.breaches(move)) else None))
        state.apply(move)
    entries = transcript.transcribe(play.ruleset, opening, steps)
    game = Transcript(transcript.tags(play.ruleset, opening, {}, None), entries)
    assert [step.move for step in transcript.replay(play.ruleset, game)] == moves


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("BARI-DUDA", 1, "begins with its headers"),
        ('\n[Black "Aiko"]\ndeal black', 2, "Ruleset is missing"),
        (HEAD + '[Black "Aiko"]', 3, "stands here twice"),
        (HEAD + "[White Jonas]", 3, r"\[Name"),
        (HEAD + '[White "Jonas]', 3, r"\[Name"),
        (HEAD + "deal black\n+ !", 4, "the reason"),
        (HEAD + "deal black\n! so it was", 4, r"write a move, or \* and a ruling, before !"),
        (HEAD + "deal black\n* turn seat=White", 4, "a ruling needs a reason"),
        (HEAD + "deal black\n*", 4, "a ruling needs a reason"),
        (HEAD + "deal black\n* turn seat=White !", 4, "the reason"),
        (HEAD + 'deal black\n+ ! "so it was', 4, "quotation marks"),
        (HEAD + 'deal black\n+ ! "so" it was', 4, "quotation marks"),
        (HEAD + 'deal black\n+ ! "\\x"', 4, "no JSON string"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_its_line(text, line, why):
    with pytest.raises(TranscriptError, match=why) as error:
        list(transcript.read(text))
    assert error.value.line == line


@pytest.mark.parametrize(
    ("moves", "line", "cause"),
    [
        ("deal green", 4, NotationError),
        ("deal black\nBARI-LALE", 5, NotationError),
        ("deal black\n\nwhite: BARI-DUDA", 6, RuleBrokenError),
        ("deal black\nBARI-DUDA\nDUDA-BARI", 6, ImpossibleError),
        ("deal black\n* turn seat=Green ! late", 5, NotationError),
        ("deal black\n* points seat=White points=1 + bridge line=ALOA-BARI ! late", 5, ImpossibleError),
    ],
)
def test_a_move_that_does_not_fit_is_named_by_its_line_and_cause(moves, line, cause):
    with pytest.raises(TranscriptError) as error:
        replay(moves)
    assert error.value.line == line
    assert isinstance(error.value.cause, cause)


def test_an_overridden_move_stands_and_names_the_rules_it_broke():
    *_, last = replay("deal black\nwhite: BARI-DUDA ! nobody minded")
    assert last.broken == ("kahuna:SET-2",)
    assert last.state.bridges[1]


def test_a_ruling_is_its_adjustments_and_a_reason():
    game = read(HEAD + "deal black\n* points seat=White points=-3 + turn seat=White ! looked ; at BARI\n* ! no talking")
    assert game.entries[1:] == (
        WrittenEntry("points seat=White points=-3 + turn seat=White", "looked", (Comment("at BARI"),), 4, ruling=True),
        WrittenEntry("", "no talking", (), 5, ruling=True),
    )
    *_, first, second = transcript.replay(KAHUNA, game)
    assert (first.adjustments, first.reason) == ((Points(seat=1, points=-3), Turn(seat=1)), "looked")
    assert [effect.kind for effect in first.effects] == ["points.ruled", "turn.ruled"]
    assert (second.move, second.adjustments, second.effects) == (None, (), [])
    assert second.state.to_move() == 1


@pytest.mark.slow
def test_a_ruled_game_is_written_and_read_back(ruleset):
    for setting, seed in games_of(ruleset)[EVEN]:
        _ruled_game_is_read_back(random_game_with_rulings(ruleset, setting, seed))


def _ruled_game_is_read_back(ruled_play: Play) -> None:
    ruleset, opening = ruled_play.ruleset, Opening(ruled_play.options, None, ruled_play.seats, ruled_play.revision)
    steps = [
        TranscriptStep(adjustments=(step.move,), reason="so it was")
        if isinstance(step.move, Adjustment)
        else TranscriptStep(move=step.move)
        for step in ruled_play.steps
    ]
    entries = transcript.transcribe(ruleset, opening, steps)
    tags = transcript.tags(ruleset, opening, {}, ruled_play.steps[-1].after.outcome())
    game = read(transcript.write(Transcript(tags, entries)))
    replayed = list(transcript.replay(ruleset, game))
    assert [(step.move, step.adjustments, step.reason) for step in replayed] == [
        (step.move, step.adjustments, step.reason) for step in steps
    ]
    assert replayed[-1].state.version == len(steps)
    assert replayed[-1].state.totals() == ruled_play.steps[-1].after.totals()


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ('[Seats "two"]', "Seats: 'two' is not a number from 1 on"),
        ('[Revision "0"]', "Revision: '0' is not a number from 1 on"),
        (f'[Revision "{"9" * 5000}"]', "Revision: '99999999999999999999' is not a number from 1 on"),
        ('[Seats "3"]', "two players"),
        ('[Components "{"]', "Components: they are not one object of JSON"),
        ('[Components "{}"]', "components"),
        ('[Option.weather "fine"]', "weather"),
    ],
)
def test_headers_that_open_no_game_are_refused(headers, why):
    with pytest.raises(TranscriptError, match=why):
        list(transcript.replay(KAHUNA, read(f"{HEAD}{headers}\ndeal black")))


def test_a_game_of_another_ruleset_is_refused():
    with pytest.raises(TranscriptError, match="a game of chess, not of kahuna"):
        list(transcript.replay(KAHUNA, read('[Ruleset "chess"]\ne2-e4')))


def test_a_game_that_goes_on_has_no_result():
    assert transcript.tags(KAHUNA, Opening(), {}, None)["Result"] == "*"
