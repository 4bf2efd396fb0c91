"""What each event of chance was worth, in chances to win."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from games.chance import events_of, resampled, weighted_choice, without_outcomes
from games.contract import PUBLIC, RECORD, ChanceEvent, Outcome, Policy, State, Title, Viewpoint
from games.playout import playout
from games.rulesets import SHIPPED
from projections.analyses.game_replay import ReplayStep
from projections.analyses.seeded_random import SeededRandom
from projections.analyses.worth import LuckValue, enough_for_difference, luck_value
from tests.projections.test_analyses import kahuna, play, replay

if TYPE_CHECKING:
    from projections.archive import Archive

RULESETS = [name for name, ruleset in SHIPPED.items() if ruleset.policy and ruleset.chance_kinds]


def drive(analysing: Any, done: dict[str, Any] | None = None, order: int = 1) -> Any:
    """The result of an analysis with pieces in some order, kept by their keys."""
    done = {} if done is None else done
    try:
        asked = next(analysing)
        while True:
            for unit in asked.units[::order]:
                if unit.key not in done:
                    done[unit.key] = msgspec.json.decode(msgspec.json.encode(unit.work()))
            asked = analysing.send(done)
    except StopIteration as finished:
        return finished.value


def value(found: Any, precision: int = 20, games: int = 100, **how: Any) -> LuckValue:
    result: LuckValue = drive(luck_value(found, {"precision": precision, "games": games, "blunders": 0}), **how)
    return result


# A game with computable chances: two dice, one after the other, and black wins with enough pips


class Throw(msgspec.Struct, frozen=True):
    face: str
    seat: int | None = 0


class Pips(State):
    """Black needs eight pips with two dice."""

    faces: tuple[str, ...] = ()
    needed: ClassVar[int] = 8

    @property
    def seats(self) -> int:
        return 2

    def copy(self) -> Pips:
        return Pips(faces=self.faces)

    def apply(self, move: Any, version: int | None = None) -> list[Any]:  # noqa: ARG002
        self.faces += (move.face,)
        return []

    def sample_chance(self, move: Any, chance: Any) -> Any:  # noqa: ARG002
        return move

    def outcome(self) -> Outcome | None:
        if len(self.faces) < 2:
            return None
        return Outcome.of([1, 2] if sum(map(int, self.faces)) >= self.needed else [2, 1], "pips", "toy:1")


def pips(sides: int, needed: int, *faces: int, noted: bool = True) -> Any:
    """The replay of such a game."""
    odds = {str(face): 1 for face in range(1, sides + 1)}

    def chances(_: Any, move: Any, __: Any) -> list[ChanceEvent]:
        return [ChanceEvent("die", odds, move.face if noted else None, move.seat, with_outcome=Throw)]

    def choose(state: Any, chance: Any) -> Any:
        return Throw(chance.choice(list(odds))) if len(state.faces) < 2 else None

    ruleset: Any = SimpleNamespace(
        name="toy",
        revision=1,
        policy=Policy("toy", 1, choose),
        chances=chances,
        chance_kinds={"die": Title("dice", "ダイス")},
    )
    Pips.ruleset, Pips.needed = ruleset, needed
    steps, state = [], Pips()
    for version, face in enumerate(faces, 2):
        after = state.copy()
        after.apply(Throw(str(face)))
        move: Any = Throw(str(face))
        steps.append(ReplayStep(version, move, state, after, None, after.outcome()))
        state = after
    return SimpleNamespace(ruleset=ruleset, revision=1, seats=2, seed="a toy", opened=steps[0].before, steps=steps)


def test_an_event_was_worth_what_came_less_the_mean_of_all_that_could_have_come() -> None:
    found = value(pips(6, 8, 6, 1), precision=3, games=100_000)
    first, second = (event.worth[0] for event in found.events)
    assert first.p == pytest.approx(5 / 6 - 15 / 36, abs=0.03), "after a six, five of six faces win; before, 15 of 36"
    assert second.p == pytest.approx(0 - 5 / 6, abs=0.03), "with a one it is lost"
    assert found.enough
    assert (found.n, found.left_out) == (2, 0)
    assert found.total[0].p == pytest.approx(-15 / 36, abs=0.06), "all chance together leads from the start to the end"
    assert [(kind.kind, kind.seat, kind.n) for kind in found.kinds] == [("die", 0, 2)]


def test_of_many_outcomes_some_are_drawn_by_the_odds() -> None:
    found = value(pips(20, 21, 15, 3), precision=4, games=100_000)
    first, second = (event.worth[0] for event in found.events)
    assert first.p == pytest.approx(15 / 20 - 0.525, abs=0.04)
    assert second.p == pytest.approx(-15 / 20, abs=0.04)
    assert found.enough


@pytest.mark.slow
def test_the_margins_hold_the_truth_about_as_often_as_they_say() -> None:
    truth, held = 5 / 6 - 15 / 36, 0
    for number in range(60):
        found = pips(6, 8, 6)
        found.seed = f"toy {number}"
        (event,) = value(found, precision=15, games=10_000).events
        held += abs(event.worth[0].p - truth) <= event.worth[0].margin
    assert held >= 54


def test_what_nobody_noted_is_left_out_and_said() -> None:
    found = value(pips(6, 8, 6, 1, noted=False))
    assert (found.n, found.left_out, found.events, found.games) == (0, 2, [], 0)
    assert [(kind.n, kind.left_out) for kind in found.kinds] == [(0, 2)]


# Real games


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.slow
def test_what_chance_gives_to_one_seat_it_takes_from_the_others_at_every_event(archive: Archive, name: str) -> None:
    found = value(replay(archive, play(archive, name, 5, 10, short=True), RECORD))
    assert found.n > 1
    for event in found.events:
        assert sum(worth.p for worth in event.worth) == pytest.approx(0, abs=0.0005)
        assert all(worth.margin > 0 for worth in event.worth)
        assert event.n > 0
        assert 0 < event.odds < 1
    assert sum(worth.p for worth in found.total) == pytest.approx(0, abs=0.005)
    for kind in found.kinds:
        assert sum(worth.p for worth in kind.worth) == pytest.approx(0, abs=0.005)
    assert sum(kind.n for kind in found.kinds) == found.n
    assert sum(kind.left_out for kind in found.kinds) == found.left_out
    assert found.games <= 100


@pytest.mark.slow
def test_a_draw_that_was_not_seen_is_left_out_from_there_alone(archive: Archive) -> None:
    game = kahuna(archive, "deal black BARI COCO DUDA", "+?gola", "-")
    own, others = (value(replay(archive, game, Viewpoint("seat", seat)), games=150) for seat in (0, 1))
    draws = {"own": [], "others": []} | {
        name: [(kind.n, kind.left_out) for kind in found.kinds if (kind.kind, kind.seat) == ("draw", 0)]
        for name, found in (("own", own), ("others", others))
    }
    assert draws == {"own": [(1, 3)], "others": [(0, 4)]}
    (drawn,) = (event for event in own.events if event.kind == "draw")
    assert (drawn.outcome, drawn.odds) == ("GOLA", pytest.approx(2 / 21, abs=1e-4))


@pytest.mark.slow
def test_the_worth_is_the_same_to_the_last_digit_however_the_work_is_split(archive: Archive) -> None:
    found = replay(archive, play(archive, "kahuna", 2, 5), PUBLIC)
    done: dict[str, Any] = {}
    once, backwards = value(found, done=done), value(found, order=-1)
    assert once == backwards == value(replay(archive, found.game), done=done)
    assert once.games <= 100


@pytest.mark.slow
def test_a_new_entry_has_only_its_own_chance_played_on(archive: Archive) -> None:
    game, done = kahuna(archive, "deal black BARI COCO DUDA", "+BARI/FAAA", "+COCO/GOLA"), dict[str, Any]()
    value(replay(archive, game), done=done, precision=30, games=10_000)
    before, head = len(done), archive.log.head(game)
    assert head
    state = archive.folds.current(game).state
    move = {"move": state.ruleset.move_data(state.parse("+GOLA/HUNA"))}
    moved = NewEvent(id=str(uuid7()), type="move.made", data=move)
    archive.log.append(game, [moved], expected=head.version, recorder="tests")
    value(replay(archive, game), done=done, precision=30, games=10_000)
    assert 0 < len(done) - before < before


def test_so_many_games_are_always_enough_for_the_precision() -> None:
    for wanted in (0.05, 0.1, 0.2):
        found = value(pips(2, 3, 1), precision=round(100 * wanted), games=100_000)
        assert found.enough
        assert found.events[0].n <= 1.1 * enough_for_difference(wanted)


# Moves as they could have been


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("viewpoint", [RECORD, PUBLIC], ids=["record", "public"])
@pytest.mark.slow
def test_every_outcome_can_come_instead_and_nothing_else_of_the_move_changes(name: str, viewpoint: Viewpoint) -> None:
    ruleset, chance, tried = SHIPPED[name], random.Random(4), 0
    state = ruleset.open({}, None, ruleset.seats[0])
    before = state.copy()
    for played, _ in playout(state, chance):
        table, move = before.view(viewpoint), played.seen(viewpoint)
        for number, event in enumerate(events := list(events_of(table, move))):
            if event.outcome is None or event.with_outcome is None:
                continue
            assert event.with_outcome(event.outcome) == move
            for outcome in event.odds:
                other = event.with_outcome(outcome)
                changed = list(events_of(table, other))
                assert changed[number].outcome == outcome
                assert [each.outcome for each in changed[:number]] == [each.outcome for each in events[:number]]
                assert without_outcomes(table, other) == without_outcomes(table, move), "the same was decided"
                table.copy().apply(resampled(table, other, chance, number + 1))
                tried += 1
        before = state.copy()
    assert tried > 50


def test_an_outcome_is_picked_by_its_odds() -> None:
    picked = [weighted_choice({"a": 1, "b": 3}, SeededRandom("odds", 1, number)) for number in range(2000)]
    assert 420 < picked.count("a") < 580
