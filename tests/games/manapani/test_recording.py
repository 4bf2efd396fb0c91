"""Chips, cards and secrets: counts, knowledge, and facts that stay the same after any entry."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.contract import PUBLIC, Viewpoint
from games.errors import BadMoveError, NotationError
from games.examination.forms import any_move
from games.manapani import MANAPANI
from games.manapani.components import CARDS, COLOURS, SAMPLE
from games.manapani.effects import KINDS
from games.manapani.moves import Attack, Defend, Exchange, Hold, ManapaniMove, Pay, Reveal
from games.playout import playout
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.secrecy import assert_alike, assert_recordable, replace_hidden_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.manapani.state import ManapaniState


def test_3_what_a_player_notes_is_known_to_nobody_else(table):
    t = table("? ? ?", "Kobold ?", held=["b"])
    t.do("hold Bandit Fly")
    assert t.hand(1) == "Bandit Fly ?"
    assert t.state.view(PUBLIC).hands[0].known == []
    assert t.state.view(Viewpoint("seat", 0)).hands[0].known == ["Bandit", "Fly"]
    assert Hold(seat=0, cards=("Bandit", "Fly")).seen(PUBLIC) == Hold(seat=0)
    t.do("hold Bandit Fly")
    assert t.hand(1) == "Bandit Fly ?"
    assert "player 1 holds Bandit, Fly, ?, not Gnome, Troll: see entry 2 (manapani:3)" in t.cannot("hold Gnome Troll")


def test_1_there_are_only_so_many_copies_of_a_card(table):
    t = table("Bandit ?", "? ?", held=["b"])
    assert "of Bandit the box has 1 card, and 1 is known to lie elsewhere (manapani:1)" in t.cannot("2: hold Bandit")
    assert "cast Mana r" in t.legal()
    t.state.box.deck["Mana"], kept = 0, t.state.box.deck["Mana"]
    assert "cast Mana r" not in t.legal()
    t.state.box.deck["Mana"] = kept


def test_a_hand_that_is_known_whole_cannot_give_another_card(table):
    t = table("Fly Kobold", held=["ryg"])
    assert [line for line in t.legal() if line.startswith("cast")] == ["cast Fly"]
    assert "player 1 holds Fly, Kobold, not Slow" in t.cannot("cast Slow 1")


def test_a_card_that_nobody_saw_discarded_stays_unknown(table):
    t = table("Kobold " * 2 + "? " * 6, held=["b"])
    t.do("roll 1 1", "leave", "discard ?")
    assert t.hand(1) == "Kobold ? ? ? ? ? ?"  # of the two Kobolds one may have gone
    assert (t.state.discards.known, t.state.discards.unknown) == ([], 1)


def noted(seed: int) -> Iterator[tuple[ManapaniState, ManapaniMove]]:
    """A game at random in which player 1 notes every card, and each state after a move."""
    chance = random.Random(seed)
    state = MANAPANI.open({}, None, 2 + seed % 3)
    for move, _ in playout(state, chance):
        yield state, move
        hand = state.hands[0]
        if hand.unknown and state.due == "turn":
            pool = [card for card in CARDS for _ in range(state.unlocated_copies(card))]
            tries = ((*hand.known, *chance.sample(pool, hand.unknown)) for _ in range(50))
            if cards := next((cards for cards in tries if state.allows((0, cards))), None):
                note = Hold(seat=0, cards=cards)
                state.apply(note)
                yield state, note


@pytest.mark.parametrize("seed", soak_except(range(4), 1, 2))
@pytest.mark.slow
def test_views_of_states_that_differ_only_in_secrets_are_equal(seed):
    chance = random.Random(seed)
    for one, _ in noted(seed):
        two = one.copy()
        replace_hidden_cards(two.hands[0], CARDS, chance)
        assert_alike(one, two, [PUBLIC, *(Viewpoint("seat", seat) for seat in range(1, one.seats))])
        result = one.view(PUBLIC).describe()["players"][0]["hand"]["known"]
        assert result == one.hands[0].open


@pytest.mark.parametrize("seed", soak_except(range(4), 0))
def test_a_view_is_what_one_could_record_who_was_shown_no_notes(seed):
    for viewpoint in [PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)]:
        assert_recordable(MANAPANI.open({}, None, 2 + seed % 3), noted(seed), viewpoint)


@cases("seed", range(6))
def test_chips_lands_and_pawns_equal_a_count_from_zero(seed):
    """A second, simpler bookkeeping over the effects of a game comes to the same."""
    state = MANAPANI.open({}, None, 2 + seed % 3)
    mana, levels = [8] * state.seats, Counter[str]()
    for _, effects in playout(state, random.Random(seed)):
        for effect in effects:
            seat, count = effect.seat or 0, effect.count or 0
            match effect.kind:
                case "chip.gained" | "chip.taken":
                    mana[seat] += 1
                case "chips.exchanged":
                    mana[seat] -= 2
                case "chips.paid" | "chips.returned" | "chips.halved" | "scroll.cast" | "toll.paid":
                    mana[seat] -= count
                case "toll.received":
                    mana[seat] += count
                case "land.claimed":
                    levels[effect.at[0]] = 1
                case "level.raised":
                    levels[effect.at[0]] += count
                    mana[seat] -= count
                case "level.lowered":
                    levels[effect.at[0]] -= count
                    mana[seat] += count * (effect.rule == "manapani:15")
        assert [sum(chips) for chips in state.chips] == mana
        assert {state.label(place): state.levels[place] for place in state.box.lands if state.levels[place]} == +levels


def anything(state: ManapaniState, chance: random.Random) -> ManapaniMove:
    """Any move at all, by any seat: random fields, or a legal move that is changed a bit."""
    moves = list(state.legal_moves())
    if chance.random() < 0.15:
        return _anything_typed(state, chance)
    if chance.random() < 0.03:
        return Exchange(seat=chance.randrange(state.seats), chips=tuple(chance.choices(COLOURS, k=2)))
    move = state.sample_chance(chance.choice(moves), chance)
    data = MANAPANI.move_data(move)
    for field in data:
        if chance.random() < 0.2:
            data[field] = _changed(state, field, data[field], chance)
    return MANAPANI.read_move(data)


def _anything_typed(state: ManapaniState, chance: random.Random) -> ManapaniMove:
    """Any move that can be typed, at any step."""
    while True:
        move = any_move(MANAPANI, state.seats, chance)
        with suppress(NotationError, BadMoveError):
            if state.parse(state.notation(move)) == move:
                return move


def _changed(state: ManapaniState, field: str, value: object, chance: random.Random) -> object:
    match field:
        case "seat":
            return value if value is None else chance.randrange(state.seats)
        case "chips":
            return chance.choices(COLOURS, k=2)
        case "attack" | "defence" if value:
            return [chance.choice([None, card]) for card in value]
        case "cards":
            return chance.choices([None, *CARDS], k=chance.randrange(1, 3))
        case "place" | "lands":
            places = [chance.randrange(24) for _ in range(2)]
            return places if field == "lands" else places[0]
        case "dice":
            return chance.choice([[1], [2, 3], [4, None], [None]])
        case "card" | "target":
            return chance.randrange(state.seats)
        case "count":
            return chance.randrange(1, 6)
        case "colour":
            return chance.choice(COLOURS)
        case _:
            return value


@pytest.mark.parametrize("seed", soak_except(range(12), 0))
@pytest.mark.slow
def test_the_table_stays_sane_after_any_event_and_can_be_played_on(new, check, seed):
    chance = random.Random(seed)

    def goes_on(state: ManapaniState) -> None:
        check(state)
        moves = list(state.legal_moves())
        assert moves or state.ending
        move = chance.choice([None, *moves])
        if move:
            state.verify(move)
            state.copy().apply(state.sample_chance(move, chance))

    made = 0
    while made < 150:
        t = new(2 + seed % 3, chips=chance.choice([8, 20]), level_drop=chance.choice(["before", "after"]))
        while not t.state.ending:
            made += t.try_random_moves(anything, goes_on, chance, tries=1)


def test_random_games_keep_every_chip_and_card(play, check):
    for step in play.steps:
        check(step.after)


EVENTFUL = ("Bandit", "Gremlin", "Snow Giant", "Red Dragon", "Hell Plant", "Kobold", "Mana Prism", "Drain Magic")


@cache
def random_kinds(games: int) -> frozenset[str]:
    """The kinds of effects of random games with many special cards, fought out by people who do not exchange."""
    found: set[str] = set()
    box = SAMPLE | {"deck": SAMPLE["deck"] | dict.fromkeys(EVENTFUL, 6)}
    for seed in range(games):
        chance = random.Random(seed)
        state = MANAPANI.open({"chips": (8, 30)[seed % 2]}, box, 2 + seed % 3)

        def choose(state, moves, chance=chance):
            fights = [move for move in moves if isinstance(move, Attack | Defend | Pay)]
            others = [move for move in moves if not isinstance(move, Exchange)]
            return chance.choice(fights if fights and chance.random() < 0.8 else others)

        for _, effects in playout(state, chance, choose):
            found |= {effect.kind for effect in effects}
    return frozenset(found)


@pytest.mark.slow
def test_random_play_comes_to_every_square_fight_and_ending():
    rare = {"hand.noted", "draw.missed", "spell.wasted", "chips.exchanged", "victory.shared"}
    against_the_rules = {"turn.taken", "chip.forgone", "move.uncounted"}
    assert random_kinds(8) >= set(KINDS) - rare - against_the_rules


def test_the_faces_of_dice_and_the_laid_cards_are_blanks_of_the_entry(table):
    t = table("Kobold ? ?", "Troll", lands={2: (2, 1)}, held=["rb"])
    (roll, *_) = t.state.legal_moves()
    assert [blank.choices for blank in t.state.blanks(roll)] == [("1", "2", "3", "4", "5", "6")] * 2
    t.do("roll 1 1", "attack 2", "defend 1")
    (reveal,) = t.state.legal_moves()
    blanks = t.state.blanks(reveal)
    assert [blank.seat for blank in blanks] == [0, 0, 1]
    assert "HellPlant" in blanks[0].choices
    assert blanks[2].choices == ("Troll",)
    assert t.state.notation(reveal).split().count("?") == len(blanks)


@cases("seed", range(8))
def test_cards_that_were_not_noted_are_guessed_from_what_can_be(seed):
    chance = random.Random(seed)
    state = MANAPANI.open({}, None, 3)
    for move, _ in playout(state, chance):
        if isinstance(move, Reveal):
            assert None not in (*move.attack, *move.defence)
            copies = Counter([*move.attack, *move.defence])
            assert all(count <= state.box.deck[card] for card, count in copies.items())


def test_cards_are_guessed_where_those_that_are_noted_were_known_already(table):
    deck = dict.fromkeys(CARDS, 0) | {"Kobold": 2, "Troll": 9}
    t = table("Kobold ? ? ? ?", "? " * 6, lands={2: (2, 1)}, held=["rb"], components=SAMPLE | {"deck": deck})
    t.do("roll 1 1", "attack 5", "defend 6")
    move = t.parse("reveal Kobold ? ? ? ? / ? ? ? ? ? ?")
    guessed = t.state.sample_chance(move, random.Random(1))
    assert Counter([*guessed.attack, *guessed.defence]) == {"Kobold": 2, "Troll": 9}


def test_nothing_in_a_state_is_shared_with_its_copy(table):
    t = table("Kobold ?", "Troll ?", lands={2: (2, 1)}, held=["rb"])
    t.do("roll 1 1", "attack 1", "defend 1", "reveal Kobold / Troll")
    twin = t.state.copy()
    kept = msgspec.json.encode(twin.dump())
    t.do("pay Kobold")
    assert msgspec.json.encode(twin.dump()) == kept
