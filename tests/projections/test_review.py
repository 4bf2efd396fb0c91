"""How well each seat played: what its turns cost, its worst slips, and the result without luck."""

from __future__ import annotations

import dataclasses
import doctest
import random
from contextlib import suppress
from itertools import pairwise, product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games.contract import PUBLIC, RECORD, ChanceEvent, Outcome, Viewpoint
from games.rulesets import SHIPPED
from projections.analyses import move_luck, refining, turning, winline, worth
from projections.analyses import review as module
from projections.analyses.kinds import KINDS
from projections.analyses.luck import luck_counted, luck_counts
from projections.analyses.refining import WHOLE, Chances, Score, enough_for, joint_margin_factor, shares_of, win_share
from projections.analyses.review import FEWEST_TURNS, ROUGHEST, Review, accuracy, mean_cost, review
from projections.analyses.seeded_random import SeededRandom
from projections.analyses.turning import OPTIONS_SHOWN, Decision, Option
from projections.analyses.worth import ANYTHING, WinChanceShift
from tests.choosing import soak_except
from tests.projections.test_analyses import play, replay
from tests.projections.test_luck_value import drive
from tests.projections.test_turning_points import FACES, Throw, picks

if TYPE_CHECKING:
    from projections.analyses.kinds import Kind
    from projections.archive import Archive


def reviewed(found: Any, games: int = 20_000, precision: int = 5, **how: Any) -> Review:
    result: Review = drive(review(found, {"precision": precision, "games": games, "blunders": 0}), **how)
    return result


def test_a_slip_says_what_was_better_and_by_how_much() -> None:
    """After `bad` one die of ten wins, after `good` nine do, and after `fair` five."""
    black, white = reviewed(picks("bad", "0")).seats
    (slip,) = black.slips
    assert (slip.version, slip.after, slip.made.move, slip.better.move) == (3, 2, "bad", "good")
    assert slip.loss.p == pytest.approx(0.8, abs=0.1)
    assert [other.move for other in slip.others] == ["fair"]
    assert white.slips == []


def test_a_slip_is_told_only_if_its_loss_is_known_to_within_twenty_points() -> None:
    """Of so few games the loss is 67 points, and 53 more or less."""
    (black, _) = reviewed(picks("bad", "0"), games=100, precision=20).seats
    assert (black.examined, black.slips, black.unclear) == (1, [], 1)


def test_a_review_of_too_few_games_says_how_many_decisions_it_could_not_compare() -> None:
    for games in (40, 60, 100):
        (black, _) = reviewed(picks("bad", "0"), games=games, precision=20).seats
        assert black.slips == []
        assert black.unclear == int(black.turns > 0)
    (black, white) = reviewed(picks("bad", "0")).seats
    assert (black.unclear, white.unclear) == (0, 0)


@pytest.mark.parametrize("decisions", [1, 3, 9])
def test_a_review_that_is_as_fine_as_was_asked_for_can_tell_slips(decisions: int) -> None:
    """The margin grows with the number of compared moves, so these are known the better, the more they are."""
    choice: Any = SimpleNamespace(tried=range(12))
    wanted = module._for_options([[], [choice] * decisions], 0.1)
    even = win_share(*(enough_for(wanted) / part for part in (2, 1)))
    option = Option("move", 1, even)
    decision = Decision(version=1, after=0, seat=0, legal=13, tried=12, made=option, others=[option] * OPTIONS_SHOWN)
    assert module._compared(decision, joint_margin_factor(decisions * OPTIONS_SHOWN))


def test_the_best_move_is_no_slip() -> None:
    assert [seat.slips for seat in reviewed(picks("good", "0")).seats] == [[], []]


def test_a_result_without_luck_is_the_result_without_what_chance_was_worth() -> None:
    """After `bad`, a die that wins in one of ten brings nine tenths of the game: without it black has a tenth."""
    found = reviewed(picks("bad", "0"))
    black, white = found.seats
    assert black.luck.p == pytest.approx(0.9, abs=0.1)
    assert black.without_luck
    assert white.without_luck
    assert black.without_luck.p == pytest.approx(0.1, abs=0.1)
    assert black.without_luck.p + white.without_luck.p == pytest.approx(1, abs=1e-3)
    assert found.left_out == 0


@pytest.mark.slow
def test_the_luck_of_every_game_is_near_an_own_computation() -> None:
    """Black needs a die below 9, 5 or 1, and has what came without the mean of all that could have come."""
    beside = []
    for word, below in (("good", 9), ("fair", 5), ("bad", 1)):
        for face in range(10):
            black, white = reviewed(picks(word, str(face)), games=3_000).seats
            result, fair = int(face < below), below / 10
            assert black.without_luck
            assert white.without_luck
            assert black.luck.p + white.luck.p == pytest.approx(0, abs=1e-3)
            assert black.without_luck.p == pytest.approx(result - black.luck.p, abs=1e-3)
            beside += [(word, face)] if abs(black.luck.p - (result - fair)) > black.luck.margin else []
            assert abs(black.luck.p - (result - fair)) <= 2 * black.luck.margin, (word, face)
    assert len(beside) <= 5, "a margin holds the truth 95 times of 100"


def test_a_result_without_luck_is_told_only_where_luck_is_known_well() -> None:
    rough = reviewed(picks("bad", "0"), games=50, precision=20)
    assert rough.over
    assert [seat.without_luck for seat in rough.seats] == [None, None], "no game was left for luck"
    for margin, told in ((ROUGHEST, WinChanceShift(0.4, ROUGHEST)), (ROUGHEST + 0.01, None)):
        assert module._without([turn(Chances(1.0, 1.0, 1.0), WinChanceShift(0.6, margin))], 0, 2) == told


def test_luck_that_no_game_was_left_for_is_said_to_be_unknown_and_not_to_be_the_rest_of_it() -> None:
    """Before, the worth of the other events was told as that of all, up to 67 points off."""
    rough = reviewed(picks("bad", "0"), games=50, precision=20)
    for seat in rough.seats:
        assert (seat.luck, seat.without_luck) == (ANYTHING, None)
    assert rough.left_out == 0, "its outcome was noted"


def test_luck_of_a_game_that_was_given_up_is_known_so_well_that_the_result_without_it_is_known() -> None:
    """The chances before somebody resigned have a margin of their own."""
    rough = turn(Chances(0.5, 0.4, 0.6), WinChanceShift(0, 0))
    sure = turn(Chances(1.0, 1.0, 1.0), WinChanceShift(0, 0))
    unknown = turn(Chances(0.5, 0.3, 0.7), WinChanceShift(0, 0))
    assert module._luck_within(ROUGHEST, [sure, rough]) == pytest.approx(0.1732, abs=1e-4)
    for turns in ([rough, sure], [unknown], []):
        assert module._luck_within(ROUGHEST, turns) == ROUGHEST


def turn(chances: Chances, luck: WinChanceShift, reason: str | None = None) -> Any:
    """A turn after which a seat has these chances. The game ended with it if there is a reason."""
    return SimpleNamespace(
        after=SimpleNamespace(chances=[chances]),
        steps=[SimpleNamespace(outcome=SimpleNamespace(reason=reason) if reason else None)],
        chance=SimpleNamespace(left_out=0, told_moves=[1]),
        luck=lambda _: [luck],
    )


def test_a_game_that_was_given_up_has_the_chances_before_that_without_luck() -> None:
    """White resigned at even chances after black had bad luck. Without it black was ahead, but had not won."""
    even, won = Chances(0.5, 0.42, 0.58), Chances(1.0, 1.0, 1.0)
    for reason, told in (("resigned", 0.8), ("adjudicated", 0.8), ("points", 1.3)):
        turns = [turn(even, WinChanceShift(-0.3, 0.06)), turn(won, WinChanceShift(0.0, 0.0), reason)]
        found = module._without(module._played_out(turns), 0, 2)
        assert found
        assert (found.p, found.margin) == (told, 0.06 if reason == "points" else 0.1)
    assert module._without([], 0, 2) is None


def test_partners_win_together_and_sides_share_a_draw() -> None:
    """Where a team had won, each partner was said to have half of a win."""
    teams, points = (0, 1, 0, 1), [7, 5, 7, 5]
    won, drawn = (Outcome.by_points(each, "points", "toy:END-1") for each in (points, [6] * 4))
    assert shares_of(won, 4, teams) == [WHOLE, 0, WHOLE, 0]
    assert shares_of(drawn, 4, teams) == [WHOLE // 2] * 4
    assert shares_of(won, 4) == [WHOLE // 2, 0, WHOLE // 2, 0], "these two are no partners"
    assert shares_of(msgspec.structs.replace(won, winners=(0,)), 4, teams) == [WHOLE, 0, WHOLE, 0], (
        "by a ruling for one"
    )
    for seats, expected in ((teams, [WHOLE, 0, WHOLE, 0]), ((), [WHOLE // 2, 0, WHOLE // 2, 0])):
        state = SimpleNamespace(ranks=lambda: [1, 3, 1, 3], teams=seats)
        assert refining._leader_shares(state) == expected, "a game that was cut off"
    replayed = SimpleNamespace(opened=SimpleNamespace(teams=teams))
    assert refining.sides_of(replayed) == [[0, 2], [1, 3]]  # type: ignore[arg-type]
    assert reviewed(picks("bad", "0")).sides == []


def test_the_cost_of_turns_and_their_luck_are_all_that_changed_the_chances() -> None:
    found = reviewed(picks("bad", "0"))
    black = found.seats[0]
    assert black.turns == 1
    assert black.cost
    assert black.cost.p == pytest.approx(0.8, abs=0.1)
    assert black.accuracy is None, f"fewer than {FEWEST_TURNS} turns tell nothing"


def test_accuracy_falls_with_the_cost_and_is_told_only_where_its_interval_is_narrow() -> None:
    steady = [WinChanceShift(0.02 * cost, 0.01) for cost in range(10)]
    told = [accuracy(each) for each in steady]
    assert all(told)
    for better, worse in pairwise(filter(None, told)):
        assert better.p > worse.p
        assert better.low <= better.p <= better.high
    assert accuracy(WinChanceShift(0.02, 0.02)) is None, "16 points wide"
    assert accuracy(WinChanceShift(-0.1, 0.01)) == accuracy(WinChanceShift(0.0, 0.0)), "not more than all"


def test_the_mean_of_many_turns_is_known_better_than_one() -> None:
    turns = [WinChanceShift(-0.1, 0.1)] * 25
    assert mean_cost(turns) == WinChanceShift(0.1, 0.02)
    assert mean_cost([]) is None


def test_turns_with_luck_that_is_not_known_are_known_by_what_they_differ_by() -> None:
    alike, unlike = [WinChanceShift(0.01, 0.01)] * 16, [WinChanceShift(0.3, 0.01), WinChanceShift(-0.28, 0.01)] * 8
    assert mean_cost(alike, blind=True) == mean_cost(alike)
    rough = mean_cost(unlike, blind=True)
    assert rough
    assert rough.p == pytest.approx(-0.01)
    assert rough.margin == pytest.approx(2.13 * 0.2995 / 4, abs=1e-3), "15 degrees of freedom"
    assert accuracy(rough) is None
    assert accuracy(WinChanceShift(rough.p, 0.01)), "no accuracy of 100 comes of luck that nobody knows"
    once = mean_cost(unlike[:1], blind=True)
    assert once
    assert once.margin > 1


def test_without_any_known_luck_there_is_no_result_without_it() -> None:
    found = picks("bad", "0")
    unseen = ChanceEvent("die", FACES, None, with_outcome=Throw)
    found.ruleset.chances = lambda _, move, __: [unseen] if isinstance(move, Throw) else []
    told = reviewed(found)
    assert told.left_out == 1
    for seat in told.seats:
        assert (seat.luck, seat.without_luck) == (WinChanceShift(0, 0), None)


def test_the_examples_of_accuracy_are_right() -> None:
    assert doctest.testmod(module).failed == 0


def test_a_review_is_the_same_however_its_work_is_shared_out() -> None:
    game = picks("bad", "5")
    assert reviewed(game) == reviewed(game, order=-1)


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "scoresheet"])
@pytest.mark.parametrize("viewpoint", [RECORD, PUBLIC, Viewpoint("seat", 0)], ids=lambda viewpoint: viewpoint.name)
def test_a_game_without_moves_has_a_review_that_tells_nothing(
    archive: Archive, name: str, viewpoint: Viewpoint
) -> None:
    found = reviewed(replay(archive, play(archive, name, 1, 0), viewpoint))
    assert (found.games, found.left_out) == (0, 0)
    for seat in found.seats:
        assert (seat.turns, seat.cost, seat.accuracy, seat.without_luck, seat.slips) == (0, None, None, None, [])


class Numbers(SeededRandom):
    """Random numbers that know the entry from which a game is simulated."""

    def __init__(self, seed: str, entry: int, number: int) -> None:
        super().__init__(seed, entry, number)
        self.entry = entry


class FakeGames:
    """Games by coins, in place of those that are simulated. Each takes as long as it has moves, by a clock of ours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
        self.now, self._moves, self._noise = 0.0, moves, random.Random(1)
        monkeypatch.setattr(Score, "play", lambda score, _begin, _policy, chance: self._toss(score, chance))
        for each in (winline, worth, turning, move_luck):
            monkeypatch.setattr(each, "SeededRandom", Numbers)

    def _toss(self, score: Score, chance: Numbers) -> list[int]:
        """The later a game begins, the likelier it is that the first seat wins it."""
        self.now += (5 + self._moves - chance.entry) * self._noise.uniform(0.6, 1.4)
        first = chance.choice(range(100)) < 50 + 45 * chance.entry / self._moves
        result = [WHOLE, 0] if first else [0, WHOLE]
        score.add([result, 1, 0, 0])
        return result


@pytest.mark.slow
def test_a_review_goes_on_from_the_games_of_the_win_line(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page requests both, the line first: no game of the line is simulated twice, or delays the review."""
    found = replay(archive, play(archive, "kahuna", 3), PUBLIC)
    FakeGames(monkeypatch, found.steps[-1].version)
    done: dict[str, dict[str, Any]] = {}
    for name in ("win-line", "review"):
        values = {each: parameter.default for each, parameter in KINDS[name].parameters.items()}
        drive(KINDS[name].analyse(found, values | {"precision": 10}), done=done.setdefault(name, {}))
    assert len(done["win-line"]) > 50
    assert done["win-line"].keys() <= done["review"].keys()


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.policy], ids=lambda kind: kind.name)
@pytest.mark.parametrize("games", [None, 3000], ids=["whole", "short"])
@pytest.mark.slow
def test_how_far_an_analysis_says_it_is_comes_near_the_true_part_of_its_time(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, kind: Kind, games: int | None
) -> None:
    """The time left follows from it. Games from the beginning take longer than those from the end."""
    found = dataclasses.replace(replay(archive, play(archive, "kahuna", 3), PUBLIC), seed="coins")
    clock = FakeGames(monkeypatch, found.steps[-1].version)
    values = {name: parameter.default for name, parameter in kind.parameters.items()}
    analysing = kind.analyse(found, values | ({"games": games} if games else {}))
    asked, done, told = next(analysing), 0, [(0.0, 0.0)]
    with suppress(StopIteration):
        while True:
            pieces = {}
            for unit in asked.units:
                pieces[unit.key] = unit.work()
                done += unit.size
                told.append((clock.now, max(told[-1][1], done / asked.planned)))
            asked = analysing.send(pieces)
    assert len(told) > 50
    assert all(part <= 1 for _, part in told), "nothing is done that was not planned"
    assert max(abs(part - now / clock.now) for now, part in told) < (0.2 if kind.name == "review" else 0.12)


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(
        product(("manapani", "catan_cards"), (PUBLIC, RECORD, Viewpoint("seat", 0))),
        ("manapani", PUBLIC),
        ("catan_cards", RECORD),
        ("catan_cards", Viewpoint("seat", 0)),
    ),
    ids=lambda each: getattr(each, "name", each),
)
@pytest.mark.slow
def test_a_review_has_the_luck_by_counts_of_its_viewpoint(archive: Archive, name: str, viewpoint: Viewpoint) -> None:
    """The whole record may take pieces of the public, so their keys differ where their luck does."""
    game = play(archive, name, 7, 40)
    found, done = replay(archive, game, viewpoint), dict[str, Any]()
    counts = luck_counts(found)
    assert reviewed(found, games=1, precision=20, done=done).luck_counts == msgspec.structs.replace(counts, kinds=[])
    for other in {PUBLIC, RECORD, Viewpoint("seat", 1)} - {viewpoint}:
        beside = replay(archive, game, other)
        (unit,) = next(luck_counted(beside)).units
        assert unit.key not in done or luck_counts(beside) == counts


def test_a_review_has_no_luck_by_counts_where_no_chance_is_noted() -> None:
    with pytest.raises(StopIteration) as ended:
        next(luck_counted(SimpleNamespace(ruleset=SHIPPED["scoresheet"])))  # type: ignore[arg-type]
    assert ended.value.value is None
