"""The turns that changed the chances most: what luck did, and what else could have been done."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest

from games.chance import events_of
from games.contract import PUBLIC, RECORD, ChanceEvent, Outcome, Policy, State, Title, Viewpoint
from games.rulesets import SHIPPED
from projections.analyses.game_replay import ReplayStep
from projections.analyses.refining import WHOLE, policy_of, with_progress
from projections.analyses.rounds import WorkRound, WorkUnit
from projections.analyses.turning import (
    DEALS,
    OPTIONS_SHOWN,
    OPTIONS_TRIED,
    POLICY_DEALS,
    Choice,
    TurningPoints,
    turning_points,
)
from projections.analyses.winline import ROUGHEST
from projections.analyses.worth import ANYTHING
from tests.projections.test_analyses import play, replay
from tests.projections.test_luck_value import drive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.archive import Archive

FACES = {str(face): 1 for face in range(10)}


class Pick(msgspec.Struct, frozen=True):
    decision: ClassVar[str | None] = "play"
    word: str
    seat: int | None

    def seen(self, _: Any) -> Pick:
        return self


class Throw(msgspec.Struct, frozen=True):
    decision: ClassVar[str | None] = None
    face: str
    seat: int | None = None


class Picks(State):
    """White waits, black picks; then a die of ten faces decides: after `good` nine of them win, after `bad` one."""

    picked: tuple[str, ...] = ()
    face: str = ""

    @property
    def seats(self) -> int:
        return 2

    def to_move(self) -> int | None:
        return (1, 0, None)[len(self.picked)]

    def legal_moves(self) -> Iterator[Any]:
        for word in ("good", "fair", "bad") if len(self.picked) == 1 else ("wait",):
            yield Pick(word, self.to_move())

    def copy(self) -> Picks:
        return Picks(picked=self.picked, face=self.face)

    def apply(self, move: Any, version: int | None = None) -> list[Any]:  # noqa: ARG002
        if isinstance(move, Pick):
            self.picked += (move.word,)
        else:
            self.face = move.face
        return []

    def sample_chance(self, move: Any, chance: Any) -> Any:  # noqa: ARG002
        return move

    def notation(self, move: Any) -> str:
        return str(move.word)

    def outcome(self) -> Outcome | None:
        if not self.face:
            return None
        needed = {"good": 9, "fair": 5, "bad": 1}[self.picked[1]]
        return Outcome.of([1, 2] if int(self.face) < needed else [2, 1], "die", "toy:1")


def chances(_: Any, move: Any, __: Any) -> list[ChanceEvent]:
    return [ChanceEvent("die", FACES, move.face, with_outcome=Throw)] if isinstance(move, Throw) else []


def choose(state: Any, chance: Any) -> Any:
    if state.face:
        return None
    return next(state.legal_moves()) if len(state.picked) < 2 else Throw(chance.choice(list(FACES)))


def picks(word: str, face: str) -> Any:
    return played([Pick("wait", 1), Pick(word, 0), Throw(face)], Picks(), choose)


def played(moves: list[Any], state: Any, choose: Any) -> Any:
    """The replay of a toy game with these moves, and with a policy."""
    ruleset: Any = SimpleNamespace(
        name="picks",
        revision=1,
        policy=Policy("toy", 1, choose),
        chances=chances,
        chance_kinds={"die": Title("", "")},
        watch=None,
    )
    Picks.ruleset, steps = ruleset, []
    for version, move in enumerate(moves, 2):
        after = state.copy()
        after.apply(move)
        steps.append(ReplayStep(version, move, state, after, None, after.outcome()))
        state = after
    return SimpleNamespace(
        ruleset=ruleset, revision=1, seats=2, seed="picks", opened=steps[0].before, steps=steps, viewpoint=RECORD
    )


class LatePicks(Picks):
    """Black picks five times in a turn, and only the last pick counts."""

    def to_move(self) -> int | None:
        return (1, 0, 0, 0, 0, 0, None)[len(self.picked)]

    def legal_moves(self) -> Iterator[Any]:
        for word in ("good", "fair", "bad") if self.picked else ("wait",):
            yield Pick(word, self.to_move())

    def copy(self) -> LatePicks:
        return LatePicks(picked=self.picked, face=self.face)

    def outcome(self) -> Outcome | None:
        return Picks(picked=("wait", self.picked[-1]), face=self.face).outcome() if self.face else None


def late_picks(word: str, face: str) -> Any:
    """A game in which black's last pick of five is this word."""

    def choose(state: Any, chance: Any) -> Any:
        if state.face:
            return None
        return next(state.legal_moves()) if len(state.picked) < 6 else Throw(chance.choice(list(FACES)))

    return played([Pick("wait", 1), *[Pick("fair", 0)] * 4, Pick(word, 0), Throw(face)], LatePicks(), choose)


def points(found: Any, games: int = 20_000, precision: int = 5, **how: Any) -> TurningPoints:
    result: TurningPoints = drive(turning_points(found, {"precision": precision, "games": games, "blunders": 0}), **how)
    return result


def test_a_swing_is_split_into_what_was_decided_and_what_chance_did() -> None:
    decided, lucky = points(picks("bad", "0")).points
    assert (decided.seat, decided.since, decided.version) in {(0, 2, 3), (1, 2, 3)}
    sign = 1 if decided.seat == 1 else -1
    assert (decided.luck.p, decided.luck.margin, decided.events, decided.left_out) == (0, 0, [], 0)
    assert decided.rest.p == pytest.approx(sign * 0.8, abs=0.1)
    assert decided.rest.margin > 0.02
    assert (lucky.version, lucky.decisions) == (4, [])
    won = 1 if lucky.seat == 0 else -1
    assert lucky.luck.p == pytest.approx(won * 0.9, abs=0.1)
    assert abs(lucky.rest.p) <= lucky.rest.margin + 0.05
    (event,) = lucky.events
    assert (event.version, event.outcome, event.odds) == (4, "0", 0.1)


def test_luck_that_no_game_was_left_for_is_said_to_be_unknown_and_not_to_be_the_rest() -> None:
    """Before, what the die did was told as decided, to within 18 points: nobody decided anything in that turn."""
    found = points(picks("good", "9"), games=32, precision=20)
    (lucky,) = found.points
    assert (lucky.version, lucky.events, lucky.left_out) == (4, [], 1)
    assert lucky.luck == ANYTHING
    assert lucky.rest.margin > 1
    assert not found.enough


def test_what_else_was_legal_is_told_with_how_it_would_have_stood_and_where_a_fork_begins() -> None:
    found = points(picks("bad", "5"))
    (decision,) = found.points[0].decisions
    assert (decision.version, decision.after, decision.seat, decision.legal, decision.tried) == (3, 2, 0, 3, 2)
    assert decision.made.move == "bad"
    assert [other.move for other in decision.others] == ["good", "fair"]
    for option, truth in zip((decision.made, *decision.others), (0.1, 0.9, 0.5), strict=True):
        assert option.chances.p == pytest.approx(truth, abs=0.15)
        assert option.chances.low <= truth + 0.05
        assert option.chances.high >= truth - 0.05
        assert option.n > 0
    assert found.enough


def choices(archive: Archive, name: str, viewpoint: Viewpoint, word: str) -> list[Choice]:
    """The decisions of a recorded game with a notation that begins with a word."""
    found = replay(archive, play(archive, name, 1, 120), viewpoint)
    policy = policy_of(found, {"blunders": 0})
    return [
        Choice(found, policy, step, step.version - 1, step.seat, step.move)
        for step in found.steps
        if step.move
        and step.seat is not None
        and all(len(each.odds) > 1 for each in events_of(step.before, step.move))
        and step.before.notation(step.move).split(": ")[-1].startswith(word)
    ]


@pytest.mark.parametrize(
    ("name", "word", "label"),
    [
        ("kahuna", "+?", "+"),
        ("manapani", "roll", "roll"),
        ("catan_cards", "roll", "roll"),
        ("catan_cards", "draw", "draw"),
    ],
)
def test_a_choice_is_named_without_what_chance_brought(archive: Archive, name: str, word: str, label: str) -> None:
    found = choices(archive, name, RECORD, word)
    assert found
    for choice in found:
        choice.choose()
        for tally in choice.told.values():
            tally.add({tally.units(30)[0].key: [[30 * WHOLE, *[0] * (choice.replay.seats - 1)], 30, 0, 0]}, 30)
        decision = choice.decision()
        assert decision
        assert decision.made.move.rstrip(" 12345") == label
        assert decision.made.move not in [other.move for other in decision.others]


@pytest.mark.parametrize(("name", "word"), [("verraeter", "choose ?"), ("verraeter", "aside ?")])
def test_a_choice_that_nobody_saw_is_not_held_against_what_it_may_have_been(
    archive: Archive, name: str, word: str
) -> None:
    found = choices(archive, name, PUBLIC, word)
    assert found
    assert [option for choice in found for option in choice.options[1:] if isinstance(option, type(choice.made))] == []


@pytest.mark.parametrize(("word", "others"), [("lay", {"lay"}), ("choose", {"choose"}), ("aside", set())])
def test_a_move_is_held_against_others_that_could_have_been_made_instead_of_it(
    archive: Archive, word: str, others: set[str]
) -> None:
    """A note of the card put aside was told as better than to lay cards. A player lays and chooses both."""
    found = choices(archive, "verraeter", RECORD, word)
    assert found
    assert {option.__struct_config__.tag for choice in found for option in choice.options[1:]} == others


@pytest.mark.parametrize(("name", "word"), [("kahuna", "d "), ("catan_cards", "under"), ("catan_cards", "search")])
def test_a_choice_is_not_held_against_itself_as_the_public_saw_it(archive: Archive, name: str, word: str) -> None:
    found = choices(archive, name, RECORD, word)
    assert found
    for choice in found:
        assert len(choice.options) > 1
        assert choice.made.seen(PUBLIC) not in choice.options


def test_a_turn_that_changed_little_is_no_turning_point() -> None:
    found = picks("good", "3")
    found.steps = found.steps[:2]
    assert points(found).points == []


def test_turning_points_keep_to_their_budget_and_say_that_it_was_not_enough() -> None:
    found = points(picks("bad", "0"), games=150)
    assert found.games <= 150
    assert not found.enough


@pytest.mark.slow
def test_turning_points_are_the_same_however_the_work_is_split(archive: Archive) -> None:
    found, done = replay(archive, play(archive, "kahuna", 3, 8), PUBLIC), dict[str, Any]()
    once = points(found, games=400, precision=20, done=done)
    assert once == points(found, games=400, precision=20, order=-1)
    for point in once.points:
        assert all(len(decision.others) <= OPTIONS_SHOWN for decision in point.decisions)


def test_a_part_of_an_analysis_goes_on_counting_where_the_part_before_it_ended() -> None:
    def part() -> Any:
        yield WorkRound([WorkUnit("a", int), WorkUnit("b", int)], 3)
        yield WorkRound([WorkUnit("c", int)], 3)
        return "done"

    going_on = with_progress(part(), 5, share=1 / 3)
    planned, found = [next(going_on).planned], None
    try:
        while True:
            planned.append(going_on.send({"a": 0, "b": 0, "c": 0}).planned)
    except StopIteration as finished:
        found = finished.value
    assert (planned, found) == ([14, 14], ("done", 8)), "it is likely to be a third of all that is left"


def test_of_many_decisions_in_a_turn_those_that_look_worst_are_examined() -> None:
    """The last pick of five is bad, and four decisions of a turn are examined."""
    (turn, _) = points(late_picks("bad", "0")).points
    assert [decision.version for decision in turn.decisions] == [3, 4, 5, 7]
    assert turn.unseen == 1
    assert turn.decisions[-1].others[0].move == "good"


@pytest.mark.parametrize("word", ["good", "bad"])
def test_few_games_search_for_decisions_and_all_are_counted(word: str) -> None:
    for games in (20, 200, 2_000):
        assert points(late_picks(word, "0"), games=games, precision=20).games <= games


def winning(name: str, seeds: int) -> Iterator[tuple[Choice, set[Any]]]:
    """Positions of games by the policy where a move wins at once, and another was played; with the winning ones."""
    ruleset = SHIPPED[name]
    assert ruleset.policy
    for seed in range(seeds):
        state, chance = ruleset.open({}, None, ruleset.seats[0]), random.Random(seed)
        found: Any = SimpleNamespace(ruleset=ruleset, revision=1, seats=2, seed=f"{seed}", viewpoint=RECORD)
        while move := None if state.ending else ruleset.policy.choose(state, chance):
            after = state.copy()
            after.apply(move := state.sample_chance(move, chance))
            if (outcome := after.outcome()) and len(outcome.winners) == 1 and move.seat in outcome.winners:
                others = {each for each in state.legal_moves() if each.seat == move.seat and not wins(state, each)}
                made = min(others, key=state.notation)
                step = ReplayStep(2, made, state, after, None, None)
                found.steps = [step]
                yield Choice(found, ruleset.policy, step, 1, move.seat, made), set(state.legal_moves()) - others
            state = after
            state.decide_hidden(chance)


def wins(state: State, move: Any) -> bool:
    after = state.copy()
    after.apply(after.sample_chance(move, random.Random(1)))
    return after.outcome() is not None


@pytest.mark.parametrize("name", ["manapani", "catan_cards"])
def test_a_move_that_wins_at_once_is_among_the_tried_ones_of_many(name: str) -> None:
    many = 0
    for choice, won in winning(name, 4):
        assert won.intersection(choice.tried)
        many += len(choice.options) > 2 * OPTIONS_TRIED
    assert many


@pytest.mark.parametrize("name", ["kahuna", "verraeter", "manapani", "catan_cards"])
def test_each_kind_of_move_and_the_choice_of_the_policy_are_tried(name: str) -> None:
    ruleset, chance, seen = SHIPPED[name], random.Random(2), 0
    assert ruleset.policy
    found: Any = SimpleNamespace(ruleset=ruleset, revision=1, seats=2, seed="kinds", viewpoint=RECORD)
    state = ruleset.open({}, None, ruleset.seats[0])
    for number in range(80):
        state.decide_hidden(chance)
        move = ruleset.policy.choose(state, chance)
        assert move
        own = [each for each in state.legal_moves() if each.seat == move.seat]
        if move.seat is not None and number % 4 == 0 and len(own) > 1:
            made = min((each for each in own if each != move), key=state.notation)
            found.steps = [step := ReplayStep(2, made, state, state, None, None)]
            choice = Choice(found, ruleset.policy, step, 1, move.seat, made)
            others = choice.options[1:]
            seen += len(others) > OPTIONS_TRIED
            assert {type(each) for each in choice.tried} == {type(each) for each in others}
            assert len(choice.tried) == min(len(others), OPTIONS_TRIED)
        state.apply(state.sample_chance(move, chance))
    assert seen or name == "kahuna"


@pytest.mark.parametrize("games", [120, 150, 200, 400, 20_000])
def test_options_are_told_only_if_they_are_known_to_within_twenty_points(games: int) -> None:
    for point in points(late_picks("bad", "5"), games=games, precision=20).points:
        assert len(point.decisions) + point.unseen in {0, 1, 5}, "every decision of a turn is counted"
        told = [option for each in point.decisions for option in (each.made, *each.others)]
        assert all((option.chances.high - option.chances.low) / 2 <= ROUGHEST for option in told)
        assert told or games < 20_000 or point.version == 8, "the last entry is a die"


class Dealt(Picks):
    """Picks with hidden cards, perhaps. It counts the deals and the lists of legal moves."""

    is_hidden: bool = False
    counted: ClassVar[list[str]] = []

    def copy(self) -> Dealt:
        return Dealt(picked=self.picked, face=self.face, is_hidden=self.is_hidden)

    def decide_hidden(self, chance: Any) -> None:
        self.counted.append("deal")
        if self.is_hidden:
            chance.choice((1, 2))

    def legal_moves(self) -> Iterator[Any]:
        self.counted.append("legal")
        return super().legal_moves()


@pytest.mark.parametrize(("is_hidden", "deals"), [(True, DEALS), (False, POLICY_DEALS)])
def test_where_nothing_is_hidden_a_decision_is_looked_at_as_it_is(is_hidden: bool, deals: int) -> None:
    """Only the lots of the policy differ there, so the other deals would find nothing new."""
    state = Dealt(picked=("wait",), is_hidden=is_hidden)
    Dealt.counted.clear()
    game = played([Pick("bad", 0)], state, lambda state, _: next(Picks.legal_moves(state)))
    found = Choice(game, game.ruleset.policy, game.steps[0], 1, 0, game.steps[0].move)
    assert Counter(Dealt.counted) == {"deal": deals, "legal": 1 + (deals if is_hidden else 1)}
    assert [move.word for move in found.options] == ["bad", "good", "fair"]
    assert found.tried[0].word == "good"  # type: ignore[attr-defined]
