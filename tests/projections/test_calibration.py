"""How well chances come true is worked out rightly: the figures of docs/calibration.md."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

import pytest

from benchmarks.calibration import (
    PAGE,
    Prediction,
    PredictionFile,
    brier,
    calibration_error,
    compare,
    fit,
    left_to_chance,
    logistic,
    moments_of,
    page,
    predictions,
    predictions_of,
    reliability,
)
from games.rulesets import SHIPPED


def drawn(n: int, wrong: float = 0.0) -> list[tuple[float, float]]:
    """Chances that come true as often as they say, but that each is told by so much too high."""
    chance = random.Random(7)
    truths = [chance.uniform(0, 1 - wrong) for _ in range(n)]
    return [(truth + wrong, float(chance.random() < truth)) for truth in truths]


@pytest.mark.slow
def test_chances_that_come_true_as_often_as_they_say_have_no_error_and_others_have_theirs() -> None:
    assert calibration_error(drawn(40_000)) < 0.015
    assert calibration_error(drawn(40_000, wrong=0.2)) == pytest.approx(0.2, abs=0.015)
    assert brier(drawn(40_000)) == pytest.approx(1 / 6, abs=0.005), "the mean of p(1 - p)"
    assert brier(drawn(40_000, wrong=0.2)) > brier(drawn(40_000))


def test_who_is_sure_and_wrong_is_worst_and_who_is_even_is_a_quarter_off() -> None:
    assert (brier([(1.0, 0.0)]), calibration_error([(1.0, 0.0)])) == (1, 1)
    assert (brier([(1.0, 1.0), (0.0, 0.0)]), calibration_error([(1.0, 1.0), (0.0, 0.0)])) == (0, 0)
    assert brier([(0.5, 1.0), (0.5, 0.0)]) == 0.25
    assert calibration_error([(0.5, 1.0), (0.5, 0.0)]) == 0, "it comes true, and says nothing"


def test_forecasts_are_compared_with_results_by_tenths() -> None:
    first, last = reliability([(0.05, 0.0), (0.07, 1.0), (1.0, 1.0)])
    assert (first.low, first.n, first.came) == (0.0, 2, 0.5)
    assert first.said == pytest.approx(0.06)
    assert (last.low, last.n, last.said, last.came) == (0.9, 1, 1.0, 1.0)


def test_the_fitted_logistic_is_the_one_that_drew_the_results() -> None:
    chance = random.Random(3)
    leads = [chance.randint(-8, 8) for _ in range(20_000)]
    constant, slope = fit([(lead, float(chance.random() < 1 / (1 + exp(0.3 - 0.5 * lead)))) for lead in leads])
    assert (constant, slope) == (pytest.approx(-0.3, abs=0.1), pytest.approx(0.5, abs=0.03))
    assert fit([(0.0, 1.0), (0.0, 0.0)])[0] == pytest.approx(0, abs=1e-6)
    parted = fit([(-1.0, 0.0), (1.0, 1.0)] * 50)
    assert logistic(parted[0] + parted[1]) > 0.95, "a lead that tells all"


@pytest.mark.slow
def test_the_margin_by_chance_is_larger_after_few_games() -> None:
    def games(n: int) -> list[Prediction]:
        chances = [(game % 10 + 0.5) / 10 for game in range(n)]
        return [Prediction(game, 2, abs(seat - p), 0, 0.0) for game, p in enumerate(chances) for seat in (1, 0)]

    few, many = left_to_chance(games(40)), left_to_chance(games(1000), 20)
    assert few > 3 * many > 0
    assert many == pytest.approx(0.8 * (0.165 / 100) ** 0.5, rel=0.3), "a bin of 100 games, each told from both sides"
    assert left_to_chance([Prediction(1, 2, 1.0, 0, 1.0), Prediction(1, 2, 0.0, 0, 0.0)]) == 0


def test_predictors_are_compared_on_games_that_the_logistic_was_not_fitted_on() -> None:
    """In the games that are fitted the leader wins, in those that are judged the trailing seat."""
    seen = [
        Prediction(game, 2, 0.5, 5 if (game + seat) % 2 == 0 else -5, float(seat == 0))
        for game in range(80)
        for seat in (0, 1)
    ]
    found = compare(seen)
    assert found["always even"].brier == found["win line"].brier == 0.25
    assert found["logistic in the lead"].brier > 0.5


@pytest.mark.parametrize("name", ["kahuna", "manapani"])
def test_a_forecast_at_each_moment_can_be_repeated(name: str) -> None:
    result = predictions_of(name, 1, [5, 20, 100_000], 3)
    seats = SHIPPED[name].seats[1 % len(SHIPPED[name].seats)]
    assert len(result) == 2 * seats
    assert result == predictions_of(name, 1, [5, 20, 100_000], 3)
    for start in (0, seats):
        assert sum(each.p for each in result[start : start + seats]) == pytest.approx(1, abs=0.01)
        assert sum(each.won for each in result[start : start + seats]) == pytest.approx(1, abs=0.01)
    assert result != predictions_of(name, 1 + len(SHIPPED[name].seats), [5, 20], 3), "games differ"


def test_moments_are_in_order_and_follow_usual_games() -> None:
    moments = moments_of("manapani")
    assert moments == sorted(moments)
    assert moments[0] > 5


@pytest.mark.slow
def test_forecasts_are_kept_and_only_missing_ones_are_made(tmp_path: Path) -> None:
    result = predictions("manapani", 3, 2, 60, tmp_path)
    (kept,) = tmp_path.iterdir()
    *lines, last = kept.read_text(encoding="utf-8").splitlines()
    kept.write_text("\n".join([*lines, last[:-9]]), encoding="utf-8")
    assert predictions("manapani", 3, 2, 0, tmp_path) == [each for each in result if each.game < 2], "no time for more"
    assert predictions("manapani", 3, 2, 60, tmp_path) == result, "a line that was cut off is told anew"
    marked = [each._replace(p=0.5) for each in result if each.game == 1]
    PredictionFile(tmp_path, "manapani", 2).add(1, marked)
    again = predictions("manapani", 3, 2, 60, tmp_path)
    assert [each for each in again if each.game == 1] == marked, "it is taken from there"
    assert len(predictions("manapani", 1, 3, 60, tmp_path)) == len([each for each in result if each.game == 0])
    assert len(list(tmp_path.iterdir())) == 2, "by another number of games played on it is another file"


@pytest.mark.programs
def test_the_page_names_the_revision_and_the_games_of_every_ruleset_with_a_policy(tmp_path: Path) -> None:
    result = predictions("kahuna", 4, 2, 60, tmp_path)
    text = page({"kahuna": result}, 2)
    policy = SHIPPED["kahuna"].policy
    assert policy
    assert f"{len({each.game for each in result})} games, {len(result)} predictions" in text
    assert f"“{policy.name}” (revision {policy.revision})" in text
    kept = Path(PAGE).read_text(encoding="utf-8")
    for ruleset in SHIPPED.values():
        if ruleset.policy:
            by = f"“{ruleset.policy.name}” (revision {ruleset.policy.revision})"
            told_so = f"Rules of revision {ruleset.revision}, played by {by}"
            assert told_so in kept, f"{ruleset.name}: make calibration"
