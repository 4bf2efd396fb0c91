"""The recorded games show every way in which a turn, a fight and a game can go."""

from __future__ import annotations

from functools import cache

from games import transcript
from games.manapani import MANAPANI
from games.manapani.components import SAMPLE_BOX, read_box
from tests import goldens
from tests.cases import cases

GAMES = goldens.games(MANAPANI)


@cache
def steps(game: str) -> list[transcript.Replayed]:
    """The steps of a game; their state is the one at its end."""
    return list(transcript.replay(MANAPANI, GAMES[game]))


def kinds(game: str) -> set[str]:
    return {effect.kind for step in steps(game) for effect in step.effects}


@cases(
    ("game", "kind"),
    [
        ("two_players", "bonus.scored"),
        ("two_players", "hand.noted"),
        ("two_players", "land.captured"),
        ("three_players", "mana.exhausted"),
        ("four_players", "pawn.held"),
        ("panic_that_turns_the_game", "panic.struck"),
        ("fight_with_bandit_gremlin_and_snow_giant", "scroll.stolen"),
        ("fight_with_bandit_gremlin_and_snow_giant", "power.halved"),
        ("fight_with_bandit_gremlin_and_snow_giant", "scroll.nullified"),
        ("shared_victory", "victory.shared"),
        ("own_set", "toll.received"),
        ("small_deck", "draw.missed"),
        ("small_deck", "spell.wasted"),
    ],
)
def test_a_recorded_game_shows_what_it_is_named_for(game, kind):
    assert kind in kinds(game)


def test_bandit_gremlin_and_snow_giant_meet_in_one_fight():
    fights = [
        {card for effect in step.effects if effect.kind == "cards.revealed" for card in effect.at}
        for step in steps("fight_with_bandit_gremlin_and_snow_giant")
    ]
    assert any({"Bandit", "Gremlin", "Snow Giant"} <= cards for cards in fights)


def test_a_panic_on_purpose_turns_the_game():
    """Somebody behind asks for a colour that the source has not got, is ahead from then on, and wins."""
    game, totals = GAMES["panic_that_turns_the_game"], [[0, 0, 0]]
    turned = []
    for step in transcript.replay(MANAPANI, game):
        totals.append(step.state.totals())
        if step.entry.text.startswith("gain") and any(effect.kind == "panic.struck" for effect in step.effects):
            (before, after), seat = totals[-2:], step.move.seat
            turned += [seat] * (before[seat] < max(before) and after[seat] == max(after))
    assert set(step.state.outcome().winners) & set(turned)


def test_a_creditor_does_not_get_what_a_broke_player_cannot_pay():
    toll = steps("three_players")[-1]
    assert {"toll.paid", "toll.received", "mana.exhausted"} <= {effect.kind for effect in toll.effects}
    (paid,) = {effect.count for effect in toll.effects if effect.kind in {"toll.paid", "toll.received"}}
    assert paid == len(toll.move.chips) + len(toll.move.lands)


def test_every_kind_of_effect_is_recorded_somewhere():
    assert set().union(*map(kinds, GAMES)) == set(MANAPANI.effect_sentences)


def test_the_irregular_game_breaks_many_rules():
    rules = {rule for step in steps("irregular") for rule in step.broken}
    assert {"manapani:4", "manapani:13", "manapani:16", "manapani:25"} <= rules


def test_games_are_recorded_for_two_three_and_four_players():
    assert {transcript.opening(MANAPANI, game).seats for game in GAMES.values()} == {2, 3, 4}


def test_boards_and_decks_that_are_made_up_say_so():
    for game in GAMES.values():
        assert any("made up" in comment.text for comment in game.comments)


def test_a_set_that_was_entered_is_played_with():
    box = read_box(transcript.opening(MANAPANI, GAMES["own_set"]).components or {})
    assert box.board != SAMPLE_BOX.board
    assert box.deck != SAMPLE_BOX.deck


def test_a_turn_is_a_handful_of_lines():
    for name, game in GAMES.items():
        last = steps(name)[-1]
        notes = sum(entry.text.startswith("hold") for entry in game.entries)
        assert (len(game.entries) - notes) / last.state.turn < 5, name


def test_a_victory_that_all_share_is_a_draw_in_the_picture_as_in_the_record():
    state = steps("shared_victory")[-1].state
    assert transcript.result(MANAPANI, state.ending) == "draw"
    assert "<title>Manapani, a draw" in state.picture()
