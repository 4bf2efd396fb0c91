"""Statistics and ratings follow from results alone. Their order does not matter."""

from __future__ import annotations

import random
from itertools import combinations
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce, PlackettLuceRating

from projections.statistics.behind import results_about
from projections.statistics.moves import Played, figures_of_moves, tally_of
from projections.statistics.people import ENOUGH, figures, wilson_interval
from projections.statistics.ratings import Ladder, counts
from projections.statistics.results import Result
from projections.statistics.years import year_of
from tests.choosing import soak_except

PEOPLE = ["ada", "bob", "cleo", "dan"]


def result(number: int, seats: list[str | None], scores: list[int], **more: object) -> Result:
    """A game that most points win, played at a minute of its own."""
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    winners = frozenset(seat for seat, rank in enumerate(ranks) if rank == 1)
    known = {
        "game": f"g{number}",
        "kind": "kahuna",
        "played_at": 60_000 * number,
        "day": "1970-01-01",
        "minutes": 10,
        "seats": tuple(seats),
        "scores": tuple(scores),
        "ranks": ranks,
        "winners": winners,
        "together": False,
        "irregular": 0,
    }
    return Result(**{**known, **more})  # type: ignore[arg-type]


@st.composite
def many(draw: st.DrawFn) -> list[Result]:
    found = []
    for number in range(draw(st.integers(0, 12))):
        seats = draw(st.permutations(PEOPLE))[: draw(st.integers(1, 4))]
        with_guest = [None if draw(st.integers(0, 5)) == 0 else each for each in seats]
        scores = draw(st.lists(st.integers(0, 9), min_size=len(seats), max_size=len(seats)))
        kind = draw(st.sampled_from(["kahuna", "scoresheet/UNO"]))
        together = draw(st.integers(0, 4)) == 0
        won = frozenset(range(len(seats))) if draw(st.booleans()) else frozenset[int]()
        more = {"together": True, "winners": won} if together else {}
        found.append(result(number, with_guest, scores, kind=kind, **more))
    return found


@given(many(), st.randoms())
@pytest.mark.slow
def test_figures_are_those_counted_by_hand_in_every_order(games: list[Result], chance) -> None:
    shuffled = games.copy()
    chance.shuffle(shuffled)
    for person in PEOPLE:
        found = figures(person, shuffled)
        assert found == figures(person, games)
        own = [each for each in games if person in each.seats]
        against = [each for each in own if not each.together and len(each.seats) > 1]
        assert (found.n, found.share.n, found.together) == (len(own), len(against), sum(each.together for each in own))
        assert found.share.wins == sum(each.seats.index(person) in each.winners for each in against)
        assert found.share.by_chance == pytest.approx(sum(len(each.winners) / len(each.seats) for each in against))
        assert sum(each.n for each in found.kinds) == found.n
        assert sum(found.months.values()) == found.n
        assert sum(each.n for each in found.by_players.values()) == found.share.n
        assert sum(each.share.n for each in found.seats) == found.share.n
        for kind in found.kinds:
            scores = [each.scores[each.seats.index(person)] for each in own if each.kind == kind.kind]
            assert kind.average == pytest.approx(fmean(scores))
            assert (kind.median, kind.best.points) == (median(scores), max(scores))
        for other in found.opponents:
            mirrored = next(each for each in figures(other.player, games).opponents if each.player == person)
            assert (other.n, other.before, other.behind, other.level) == (
                mirrored.n,
                mirrored.behind,
                mirrored.before,
                mirrored.level,
            )


@given(many(), st.randoms())
@pytest.mark.slow
def test_ratings_do_not_depend_on_the_order_in_which_games_come(games: list[Result], chance) -> None:
    shuffled = games.copy()
    chance.shuffle(shuffled)
    one, other = Ladder.from_results(games), Ladder.from_results(shuffled)
    assert one.ratings() == other.ratings()
    assert one.newcomers() == other.newcomers()
    assert one.brier == other.brier
    for person in PEOPLE:
        assert one.history(person) == other.history(person)


def some_games(seed: int, count: int = 60) -> list[Result]:
    """Games of two to eight of twelve people, many of them with ties."""
    chance, people = random.Random(seed), [f"person {number}" for number in range(12)]
    seats = (chance.sample(people, chance.randint(2, 8)) for _ in range(count))
    return [result(number, [*own], [chance.randint(0, 4) for _ in own]) for number, own in enumerate(seats)]


@pytest.mark.parametrize("seed", soak_except(range(3), 0))
def test_ratings_and_predictions_are_those_of_openskill(seed: int) -> None:
    model, known, errors, uniform = PlackettLuce(), dict[str, PlackettLuceRating](), list[float](), list[float]()
    games = some_games(seed)
    for each in games:
        teams = [[known.get(str(player)) or model.rating()] for player in each.seats]
        for seat, chance in enumerate(model.predict_win(teams)):
            won = (seat in each.winners) / len(each.winners)
            errors.append((chance - won) ** 2)
            uniform.append((1 / len(teams) - won) ** 2)
        after = model.rate(teams, ranks=[float(rank) for rank in each.ranks])
        known |= {str(player): rating for player, (rating,) in zip(each.seats, after, strict=True)}
    ladder = Ladder.from_results(games)
    for player, expected in known.items():
        found = ladder.rating(player)
        assert found is not None
        assert (found.mu, found.sigma) == pytest.approx((expected.mu, expected.sigma), rel=1e-9)
        assert found.n == sum(player in each.seats for each in games)
    points = [each.points for each in ladder.ratings()]
    assert points == sorted(points, reverse=True)
    assert ladder.brier is not None
    assert ladder.brier.n == len(errors)
    assert (ladder.brier.score, ladder.brier.uniform) == pytest.approx((fmean(errors), fmean(uniform)), rel=1e-9)


@pytest.mark.parametrize("shared", [0, 1, 37, 60])
def test_a_ladder_that_goes_on_is_that_of_all_games_anew(shared: int) -> None:
    first, others = some_games(4), some_games(5)
    second = first[:shared] + others
    gone_on, anew = Ladder().following(first).following(second), Ladder().following(second)
    assert (gone_on.ratings(), gone_on.newcomers(), gone_on.brier) == (anew.ratings(), anew.newcomers(), anew.brier)
    for person in {str(player) for each in second for player in each.seats}:
        assert gone_on.history(person) == anew.history(person)
        assert [step.rating.n for step in anew.history(person)] == list(range(1, len(anew.history(person)) + 1))


def test_a_rating_is_shown_from_five_games_on() -> None:
    games = [result(number, ["ada", "bob"], [1, 0]) for number in range(5)]
    assert Ladder.from_results(games[:4]).ratings() == []
    assert [each.player for each in Ladder.from_results(games).ratings()] == ["ada", "bob"]


@pytest.mark.parametrize(
    "game",
    [
        result(1, ["ada", None], [1, 0]),
        result(1, ["ada"], [1]),
        result(1, ["ada", "ada"], [1, 0]),
        result(1, ["ada", "bob"], [1, 0], together=True),
        result(1, ["ada", "bob"], [1, 0], winners=frozenset()),
    ],
    ids=["a guest", "alone", "two seats", "together", "nobody won"],
)
def test_a_game_that_compares_nobody_is_not_rated(game: Result) -> None:
    assert not counts(game)
    assert Ladder.from_results([game]).newcomers() == []


def test_predictions_are_judged() -> None:
    ladder = Ladder.from_results([result(number, ["ada", "bob"], [1, 0]) for number in range(20)])
    assert ladder.brier is not None
    assert ladder.brier.n == 40
    assert ladder.brier.uniform == pytest.approx(0.25)
    assert ladder.brier.score < ladder.brier.uniform, "who always wins is soon expected to"


@pytest.mark.parametrize("seats", [["ada"], ["ada", "ada"]], ids=["one seat", "all seats"])
def test_a_game_alone_is_played_and_neither_won_nor_lost(seats: list[str | None]) -> None:
    games = [result(1, ["ada", "bob"], [1, 3]), *(result(n, seats, [n] * len(seats)) for n in range(2, 9))]
    found = figures("ada", games)
    assert (found.n, found.share.n, found.share.wins, found.together) == (8, 1, 0, 0)
    assert (found.streaks.won, found.streaks.lost, found.streaks.current) == (0, 1, -1)
    assert [(each.n, each.share.n, each.best.points) for each in found.kinds] == [(8, 1, 8)]
    played = [Played(each, tuple(each.seats_of("ada")), None, None) for each in games]
    for about, n in (("", 8), ("against", 1), ("won", 0), ("together", 0), ("streak-won", 0), ("streak-lost", 1)):
        assert len(results_about(about, games, "ada")) == n, about
    assert (year_of(1970, games, "ada").share.n, year_of(1970, games, "ada").streak) == (1, 0)
    assert [each.share.n for each in figures_of_moves([tally_of(played)])[0].seats] == [1]


def test_rivals_take_enough_games_and_streaks_are_counted_in_the_order_of_play() -> None:
    games = [result(number, ["ada", "bob"], [number % 4 == 0, 1]) for number in range(ENOUGH + 1)]
    found = figures("ada", games)
    assert (found.rival, found.nemesis) == ("bob", "bob")
    assert figures("ada", games[: ENOUGH - 1]).rival is None
    won = figures("bob", games).streaks
    assert (won.won, won.lost) == (6, 0)


def test_each_seat_of_a_person_who_has_several_has_its_own_wins() -> None:
    game = result(1, ["a", "a", "b"], [5, 3, 1])
    found = figures("a", [game])
    assert [(each.seat, each.share.wins, each.share.by_chance) for each in found.seats] == [
        (0, 1, 1 / 3),
        (1, 0, 1 / 3),
    ]
    for each in found.seats:
        assert len(results_about(f"seat-won:{each.seat}", [game], "a")) == each.share.wins


def test_several_seats_of_a_person_win_by_chance_as_often_as_all_ways_to_win_say() -> None:
    for scores in ([5, 3, 1, 0], [5, 5, 1, 0], [5, 5, 5, 0], [5, 5, 5, 5]):
        ways = list(combinations(range(4), scores.count(5)))
        for own in ([0], [0, 1], [0, 1, 2]):
            game = result(1, ["a" if seat in own else f"b{seat}" for seat in range(4)], scores)
            share = sum(not {*own}.isdisjoint(each) for each in ways) / len(ways)
            assert figures("a", [game]).share.by_chance == pytest.approx(share)
            assert year_of(1970, [game], "a").share.by_chance == pytest.approx(share)


def test_several_seats_of_a_person_in_one_team_win_by_chance_as_one() -> None:
    for winners in ([5, 0, 5, 0], [0, 5, 0, 5]):
        partners = result(1, ["a", "b", "a", "c"], winners, teams=(0, 1, 0, 1))
        both = result(1, ["a", "a", "b", "c"], winners, teams=(0, 1, 0, 1))
        for game, share in ((partners, 1 / 2), (both, 1)):
            assert figures("a", [game]).share.by_chance == pytest.approx(share)
            assert year_of(1970, [game], "a").share.by_chance == pytest.approx(share)
    three = result(1, ["a", "b", "a", "c", "d", "e"], [5, 0, 0, 5, 0, 0], teams=(0, 1, 2, 0, 1, 2))
    assert figures("a", [three]).share.by_chance == pytest.approx(2 / 3)


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson_interval(7, 10)  # Newcombe (1998), table I, method 3, has 0.3968 and 0.8922 for 7 of 10
    assert (round(low, 4), round(high, 4)) == (0.3968, 0.8922)
    assert wilson_interval(0, 0) == (0.0, 1.0)


def doubles(number: int, points: list[int], **more: object) -> Result:
    """Ada with Cleo against Bob with Dan, who sit in turns."""
    return result(number, ["ada", "bob", "cleo", "dan"], points, teams=(0, 1, 0, 1), **more)


def test_a_partner_of_the_same_team_is_no_opponent() -> None:
    games = [doubles(number, [9, 4, 9, 4] if number < 4 else [4, 9, 4, 9]) for number in range(ENOUGH + 1)]
    games += [result(100 + number, ["ada", "cleo"], [1, 2]) for number in range(2)]
    found = figures("ada", games)
    others = {each.player: each for each in found.opponents}
    cleo, bob = others["cleo"], others["bob"]
    assert (cleo.n, cleo.before, cleo.behind, cleo.level, cleo.beside, cleo.beside_won) == (2, 0, 2, 0, 6, 4)
    assert (bob.n, bob.before, bob.behind, bob.level, bob.beside) == (6, 4, 2, 0, 0)
    assert (found.rival, found.nemesis) == ("dan", None), "Cleo was met twice, and played beside six times"
    assert [each.player for each in found.opponents] == ["bob", "dan", "cleo"]


def test_games_that_all_won_or_lost_as_one_are_on_the_same_side() -> None:
    won = result(1, ["ada", "bob"], [3, 3], together=True, winners=frozenset({0, 1}))
    lost = result(2, ["ada", "bob"], [3, 3], together=True, winners=frozenset())
    (bob,) = figures("ada", [won, lost]).opponents
    assert (bob.n, bob.beside, bob.beside_won) == (0, 2, 1)


def test_somebody_who_sits_on_both_sides_meets_no_opponent_of_one_side_alone() -> None:
    both = result(1, ["ada", "ada", "bob", "cleo"], [5, 2, 5, 2], teams=(0, 1, 0, 1))
    (own, other) = figures("ada", [both]).opponents
    assert [(each.player, each.n, each.beside) for each in (own, other)] == [("bob", 0, 1), ("cleo", 0, 1)]
    (ada,) = (each for each in figures("bob", [both]).opponents if each.player == "ada")
    assert (ada.n, ada.beside) == (1, 0), "Ada sat against Bob, too"


@pytest.mark.parametrize(
    ("about", "games"), [("met", 2), ("behind", 2), ("level", 0), ("beside", 7), ("beside-won", 5)]
)
def test_games_beside_a_person_are_told_apart_from_those_against(about: str, games: int) -> None:
    found = [doubles(number, [9, 4, 9, 4] if number < 4 else [4, 9, 4, 9]) for number in range(6)]
    found += [result(100 + number, ["ada", "cleo"], [1, 2]) for number in range(2)]
    found.append(result(200, ["ada", "cleo"], [1, 2], together=True, winners=frozenset({0, 1})))
    assert len(results_about(f"{about}:cleo", found, "ada")) == games
    assert results_about(f"{about}:ada", found, "ada") == [], "nobody is beside, or against, themselves"
    assert results_about(f"{about}:cleo", found) == []


@pytest.mark.parametrize("teams", [(0, 1, 0, 1), (0, 0, 1, 1, 2, 2), (1, 0, 0, 2, 1)])
def test_ratings_and_predictions_of_teams_are_those_of_openskill(teams: tuple[int, ...]) -> None:
    model, known, chance = PlackettLuce(), dict[str, PlackettLuceRating](), random.Random(len(teams))
    names, games, errors = sorted({*teams}), list[Result](), list[float]()
    for number in range(30):
        seats = chance.sample([f"person {each}" for each in range(8)], len(teams))
        points = [chance.randint(0, 3) for _ in names]
        each = result(number, [*seats], [points[team] for team in teams], teams=teams)
        members = [[seat for seat, team in enumerate(teams) if team == name] for name in names]
        before = [[known.get(seats[seat]) or model.rating() for seat in of] for of in members]
        for of, odds in zip(members, model.predict_win(before), strict=True):
            errors += [(odds / len(of) - (seat in each.winners) / len(each.winners)) ** 2 for seat in of]
        after = model.rate(before, ranks=[float(each.ranks[of[0]]) for of in members])
        known |= {seats[seat]: rating for of, own in zip(members, after, strict=True) for seat, rating in zip(of, own)}  # noqa: B905
        games.append(each)
    ladder = Ladder.from_results(games)
    for player, expected in known.items():
        found = ladder.rating(player)
        assert found is not None
        assert (found.mu, found.sigma) == pytest.approx((expected.mu, expected.sigma), rel=1e-9)
    assert ladder.brier is not None
    assert ladder.brier.score == pytest.approx(fmean(errors), rel=1e-9)


def test_a_member_of_a_team_with_another_rank_is_rated_with_the_team() -> None:
    """A ruling can part the ranks of a team: the best one is that of the team."""
    parted = doubles(1, [9, 4, 9, 4], ranks=(1, 3, 2, 4), winners=frozenset({0}))
    assert Ladder.from_results([parted]).newcomers() == Ladder.from_results([doubles(1, [9, 4, 9, 4])]).newcomers()


def test_the_prediction_for_a_member_is_that_of_the_team() -> None:
    ladder = Ladder.from_results([doubles(number, [9, 4, 9, 4]) for number in range(3)])
    ada, bob = (ladder.history(player) for player in ("ada", "bob"))
    assert ada[0].predicted == pytest.approx(0.5)
    assert ada[2].predicted + bob[2].predicted == pytest.approx(1)
    assert ada[2].predicted > 0.5


def test_a_team_that_plays_against_nobody_is_not_rated() -> None:
    assert not counts(result(1, ["ada", "bob"], [3, 3], teams=(0, 0)))
