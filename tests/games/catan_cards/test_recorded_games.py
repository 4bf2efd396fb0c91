"""The recorded games show every way in which a turn can go."""

from __future__ import annotations

from functools import cache

from games import transcript
from games.catan_cards import CATAN_CARDS
from tests import goldens
from tests.cases import cases

GAMES = goldens.games(CATAN_CARDS)


@cache
def steps(game: str) -> list[transcript.Replayed]:
    """The steps of a game; their state is the one at its end."""
    return list(transcript.replay(CATAN_CARDS, GAMES[game]))


def kinds(game: str) -> set[str]:
    return {effect.kind for step in steps(game) for effect in step.effects}


@cases(
    ("game", "category"),
    [
        ("buildings", "building"),
        ("later_buildings", "building"),
        ("knights", "knight"),
        ("later_knights", "knight"),
        ("commerce", "windmill"),
        ("later_commerce", "windmill"),
        ("settlement", "settlement"),
    ],
)
def test_a_recorded_game_is_won_by_what_it_is_named_for(game, category):
    assert steps(game)[-1].state.scores()[-1].category == category


@cases(
    ("game", "kind"),
    [
        ("later_buildings", "brigands.spared"),
        ("own_box", "region.unlisted"),
        ("one_hand_noted", "hand.noted"),
        ("one_hand_noted", "hand.shown"),
    ],
)
def test_a_recorded_game_shows_what_it_is_named_for(game, kind):
    assert kind in kinds(game)


def test_a_game_of_backs_names_no_card_that_was_not_seen():
    for game in ("backs", "later_backs"):
        for entry in GAMES[game].entries:
            words = entry.text.split()
            words = words[1:] if words[0].endswith(":") else words
            assert words[0] not in {"draw", "under"} or len(words) == 2
            assert words[0] != "pick" or words[2:] == ["?"] * 3


def test_every_kind_of_effect_is_recorded_somewhere():
    assert set().union(*map(kinds, GAMES)) == set(CATAN_CARDS.effect_sentences)


def test_games_that_are_made_up_say_so():
    for game in GAMES.values():
        assert any("invented" in comment.text for comment in game.comments)


def test_a_turn_is_a_handful_of_lines():
    for name, game in GAMES.items():
        turns = sum(steps(name)[-1].state.turns)
        assert len(game.entries) <= 8 + 6 * turns
