"""The recorded games show every way in which a round can go."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from games import transcript
from games.verraeter import VERRAETER
from tests import goldens
from tests.cases import cases

if TYPE_CHECKING:
    from games.contract import Effect

GAMES = goldens.games(VERRAETER)


@cache
def effects(game: str) -> list[Effect]:
    return [effect for step in transcript.replay(VERRAETER, GAMES[game]) for effect in step.effects]


@cases(
    ("game", "kind"),
    [
        ("four_players", "conflict.tied"),
        ("four_players", "pile.shuffled"),
        ("three_players", "hand.noted"),
        ("one_house", "game.ended"),
        ("shared_victory", "victory.shared"),
        ("everybody_in_one_house", "conflict.unrewarded"),
        ("strict_overflow", "cards.discarded"),
        ("strict_overflow", "cards.forgone"),
        ("learnt_points", "points.read"),
        ("learnt_points", "action.chosen"),
    ],
)
def test_a_recorded_game_shows_what_it_is_named_for(game, kind):
    assert kind in {effect.kind for effect in effects(game)}


def test_everybody_in_one_house_scores_the_fourth_column():
    assert any("4 winners" in at for effect in effects("everybody_in_one_house") for at in effect.at)


def test_every_kind_of_effect_is_recorded_somewhere():
    assert {effect.kind for game in GAMES for effect in effects(game)} == set(VERRAETER.effect_sentences)


def test_tables_that_are_made_up_say_so():
    for game in GAMES.values():
        assert any("made up" in comment.text for comment in game.comments)


def test_a_round_is_a_handful_of_lines_beside_slips_and_rulings():
    for game in GAMES.values():
        *_, last = transcript.replay(VERRAETER, game)
        seats, setup = last.state.seats, 2 + last.state.seats
        notes = [entry for entry in game.entries if entry.text.split()[-2:][0] in {"choose", "aside", "hold"}]
        slips = [entry for entry in game.entries if entry.reason]
        assert (len(game.entries) - setup - len(notes) - len(slips)) / last.state.round <= seats + 5
