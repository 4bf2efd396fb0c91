"""Cards, resources and secrets: counts, knowledge, and facts that stay the same after any entry."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress

import msgspec
import pytest

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import ACTIONS, CARDS, DEALT, EVENTS, FACES, RESOURCES, Land
from games.catan_cards.moves import (
    Barter,
    Build,
    Caravan,
    City,
    Confiscate,
    Draw,
    End,
    Gain,
    Happen,
    Hold,
    Merchant,
    Pick,
    Regions,
    Return,
    Road,
    Roll,
    Settle,
    Show,
    Spy,
    Start,
    Strike,
    Take,
    Trade,
)
from games.catan_cards.moves import (
    Counter as Answer,
)
from games.catan_cards.stacks import Stack
from games.contract import PUBLIC, Viewpoint
from games.errors import BadMoveError, ImpossibleError
from games.examination.plays import option_settings, random_game_with_rulings
from games.hidden import Hand
from games.playout import playout
from tests.cases import cases
from tests.choosing import soak_except
from tests.games.catan_cards.conftest import knight_token, windmill_token
from tests.games.secrecy import assert_alike, replace_hidden_cards

SETTINGS = [{"target": 7}, {"profile": "2005", "target": 8}]


def test_what_a_player_notes_is_known_to_nobody_else(table):
    t = table()
    t.do("hold Abbey Spy")
    assert t.hand(1) == "Abbey Spy ?"
    assert t.state.view(PUBLIC).hands[0].known == []
    assert t.state.view(Viewpoint("seat", 0)).hands[0].known == ["Abbey", "Spy"]
    assert Hold(seat=0, cards=("Abbey",)).seen(PUBLIC) == Hold(seat=0)


@cases("viewpoint", [PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)])
def test_a_stolen_card_that_was_not_noted_is_known_to_nobody(act, viewpoint):
    t = act(hands=("Spy", "Abbey"))
    shown = t.state.view(viewpoint)
    t.do("play Spy")
    assert (t.hand(1), t.hand(2)) == ("?", "")
    shown.apply(Spy(seat=0).seen(viewpoint))
    assert t.state.view(viewpoint).hands == shown.hands


def test_an_unknown_card_becomes_known_when_it_is_built_played_or_shown(table):
    t = table()
    t.do("build Garrison lu", "show Scout")
    assert t.hand(1) == "Scout ?"
    assert t.state.unlocated_copies("Garrison") == 2
    assert t.state.view(PUBLIC).hands[0].known == ["Scout"]


def test_there_are_only_so_many_cards_of_a_kind(table):
    t = table("1lu1 Karl the Strong")
    assert "of Karl the Strong the box has 1 card, and 1 is known to lie elsewhere" in t.cannot("draw 1 Karl")
    assert "of Karl the Strong the box has 1 card" in t.cannot("2: hold Karl")
    assert not any("Karl" in line for line in t.legal())


def test_a_card_that_is_not_in_a_known_hand_cannot_be_played(act):
    t = act(hands=("Abbey, Scout, Spy", "???"))
    assert "player 1 holds Abbey, Scout, Spy, not Caravan: see entry 4 (catan_cards:18)" in t.cannot(
        "play Caravan ku > mu"
    )


def test_a_card_put_under_a_stack_is_known_to_be_there_until_it_may_be_gone(table):
    t = table(hands=("Abbey, ??", "???"))
    t.do("under 3 Abbey", "draw 3")
    assert t.state.stacks[2].known_cards() == ["Abbey"]
    assert t.state.view(PUBLIC).stacks[2].known_cards() == []
    t.state.hands[1].unknown = 2
    t.do("roll trade 6", "2: search 3 (ku mu)")
    assert t.state.stacks[2].known_cards() == []


def test_the_top_card_is_not_the_one_that_lies_at_the_bottom(table):
    t = table(hands=("Karl the Strong, ??", "???"))
    t.do("under 3 Karl")
    assert t.broken("draw 3 Karl") == {"14": "Karl the Strong was put under stack 3: see entry 6"}
    assert t.broken("2: hold Karl") == {"14": "Karl the Strong was put under stack 3: see entry 6"}
    t.state.stacks[2].size = 1
    t.do("draw 3 Karl")
    assert t.state.stacks[2].known_cards() == []


@pytest.mark.parametrize("line", ["draw 3 Karl", "2: hold Karl", "2: build Karl lu ()", "2: show Karl"])
def test_14_a_card_that_turns_up_elsewhere_than_under_its_stack_is_there(table, check, line):
    t = table(hands=("Karl the Strong, ??", "???"), target=20)
    t.do("under 3 Karl")
    t.force(line)
    check(t.state)
    assert t.state.stacks[2].known_cards() == []


def test_14_a_card_under_a_stack_stays_known_when_the_other_is_noted_to_take_another(table):
    """The record knows what was taken. Who put the card there does not, and is not told."""
    t = table(hands=("Karl the Strong, Abbey, ?", "??"))
    t.do("under 3 Karl", "draw 2", "roll trade 6", "search 3 Spy (ku mu)")
    assert t.state.stacks[2].known_cards() == ["Karl the Strong"]
    for viewpoint in (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)):
        assert t.state.view(viewpoint).stacks[2].known_cards() == []
    assert t.broken("hold Karl") == {"14": "Karl the Strong was put under stack 3: see entry 6"}
    t.state.active, t.state.phase = 1, "refill"
    t.force("search 3 Karl (ou kd)")
    assert t.state.stacks[2].known_cards() == []


def conflict(table, *others: str):
    t = table("1lu1 Otto the Berserker", hands=("???", "Karl the Strong, Abbey, Spy"))
    t.state.tokens[0], t.state.phase, t.state.production = 0, "roll", 0
    t.do("roll event 6", "event Conflict", *others)
    return t


def test_74_the_cards_of_a_conflict_are_seen_by_both_players_and_by_nobody_else(table):
    t = conflict(table)
    move = t.parse("confiscate 4 Karl Abbey")
    assert [move.seen(Viewpoint("seat", seat)) for seat in (0, 1)] == [move, move]
    assert move.seen(PUBLIC).cards == (None, None)
    views = {point: t.state.view(point) for point in (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))}
    t.make(move)
    for viewpoint, view in views.items():
        view.apply(move.seen(viewpoint), t.state.version)
        assert t.state.view(viewpoint) == view
        known = [] if viewpoint == PUBLIC else ["Abbey", "Karl the Strong"]
        assert view.stacks[3].known_cards() == known


def test_74_a_card_that_all_saw_is_known_to_those_who_saw_that_it_stayed(table):
    t = conflict(table, "2: show Spy")
    t.do("confiscate 4 Karl Abbey")
    assert t.state.view(Viewpoint("seat", 0)).hands[1].known == ["Spy"]
    assert t.state.view(PUBLIC).hands[1].known == []
    t.do("2: show Spy")
    assert t.state.view(PUBLIC).hands[1].known == ["Spy"]
    assert t.state.hands[1].peeked == []


def test_the_order_of_the_event_stack_is_known_once_it_has_gone_round(table):
    t = table()
    order = ["Plague", "Plague", "Progress", "Progress", "Conflict", "Productive Year", "Productive Year"]
    t.state.events = ["Year End", "Civil War", "Master Builder", *order]
    t.state.phase, t.state.production = "roll", 0
    t.do("roll event 6")
    assert t.legal() == ["event YearEnd"]
    assert "the top event card is Year End" in t.cannot("event Plague")
    t.state.events = ["", *[""] * 7, "Plague", "Plague"]
    assert "Plague lies further down" in t.cannot("event Plague")


def test_a_message_about_the_event_stack_names_the_entries_that_put_cards_under_it(table):
    t, laid = table(), []
    for event in ("Plague", "Plague", "Civil War"):
        t.state.phase, t.state.production, t.state.pending = "roll", 0, []
        t.do("roll event 6")
        if event == "Civil War":
            break
        t.make(Happen(seat=t.state.pending[0].seat, card=event))
        laid.append(t.state.version)
    first, second = laid
    text = f"Plague lies further down: it was put under the stack before: see entries {first}, {second}"
    assert text in t.cannot("event Plague")
    t.state.events = ["Plague", *[""] * 8, "Plague"]
    t.state.event_entries = (first, *range(second, second + 9))
    assert f"it was put under the stack before: see entry {first} (" in t.cannot("event CivilWar")
    t.state.events = ["Year End", *[""] * 8, "Plague"]
    t.do("event YearEnd")
    assert t.state.event_entries == ()


def test_a_region_that_is_not_in_the_list_is_remarked_upon_and_stands(table):
    t = table()
    t.state.principalities[0].roads.append("o")
    t.do("settlement right")
    effects = t.do("regions gold6 ore4")
    assert "region.unlisted gold 6" in effects
    assert "region.unlisted ore 4" not in effects
    assert t.stocks(1, "qu") == [0]


def test_the_production_example_with_a_full_region(table):
    """Mountains of 2 and 5; the one of 5 is full: a 5 brings no ore, and none to the other one instead."""
    t = table()
    own = t.state.principalities[0]
    own.regions["1qu"], own.stocks["1qu"] = Land("ore", 5), 3
    t.state.phase, t.state.production = "roll", 0
    t.do("roll trade 5")
    assert (own.stocks["1mu"], own.stocks["1qu"]) == (1, 3)


def test_gotz_ironfist_costs_two_grain_two_wool_and_two_ore(table):
    t = table(stocks="1ku 2, 1mu 2, 1ou 2", hands=("Gotz Ironfist, ??", "???"))
    t.do("build Gotz lu")
    assert t.stocks(1, "ku", "mu", "ou") == [0, 0, 0]
    assert set(table(hands=("Gotz Ironfist, ??", "???")).broken("build Gotz lu (ku mu ou)")) == {"41"}


def test_paid_and_free_refills_mix(table):
    """The rulebook's example: a search in stack 1, another in 2, and the top card of 1."""
    t = table(hands=("", "???"))
    t.state.hands[0].unknown = 0
    t.do("search 1 Abbey (ku mu)", "search 2 Scout (ou kd)", "draw 1")
    assert t.hand(1) == "Abbey Scout ?"
    assert t.stocks(1, "ku", "mu", "ou", "kd") == [0, 0, 0, 0]


def test_a_merchant_cannot_fill_a_full_region(act):
    t = act(hands=("Merchant, ??", "???"), stocks="1kd 3, 2kd 2")
    assert "1kd has no room (catan_cards:70)" in t.cannot("play Merchant 2kd > kd = ku > 2ku")


@pytest.mark.parametrize("seed", soak_except(range(6), 0, 1))
def test_random_games_keep_cards_resources_and_tokens(check, seed):
    state = CATAN_CARDS.open(SETTINGS[seed % 2], None, 2)
    windmill = None
    for _, effects in playout(state, random.Random(seed)):
        check(state)
        windmill = state.tokens[1] if state.ending else windmill_token(state, windmill)
        if state.phase not in ("start", "lay", "pick", None):
            assert state.tokens == [knight_token(state), windmill]
        gained = [effect for effect in effects if effect.kind.startswith("stock.")]
        assert all(effect.count is not None and effect.count >= 0 for effect in gained)


@cases("seed", range(4))
def test_points_are_what_stands_on_the_table(seed):
    """A second, simpler count of the points comes to the same as the audit."""
    state = CATAN_CARDS.open(SETTINGS[seed % 2], None, 2)
    for _ in playout(state, random.Random(seed)):
        for seat, own in enumerate(state.principalities):
            line = sum(2 if centre == "city" else 1 for centre in own.line.values())
            cards = sum(state.box.cards[card].points for card in own.sites.values())
            assert state.totals()[seat] == line + cards + state.tokens.count(seat)


def test_the_hand_limits_are_those_of_the_sites_at_every_moment():
    """They are kept, and follow everything that comes to a site or leaves it, by moves and by rulings."""
    raised = 0
    for setting in range(len(option_settings(CATAN_CARDS))):
        for step in random_game_with_rulings(CATAN_CARDS, setting, 1).steps:
            state = step.after
            for seat, own in enumerate(state.principalities):
                widened = sum(state.box.cards[card].hand for card in own.sites.values())
                assert state.limits[seat] == DEALT + widened
                raised += widened > 0
    assert raised


@pytest.mark.slow
def test_random_games_reach_every_face_event_and_action():
    reached: Counter[str] = Counter()
    for seed in range(200):
        state = CATAN_CARDS.open(SETTINGS[seed % 2], None, 2)
        for move, effects in playout(state, random.Random(seed)):
            if isinstance(move, Roll):
                reached[move.event] += 1
            for effect in effects:
                if effect.kind in {"event.drawn", "action.played", "counter.played"}:
                    reached[effect.at[0]] += 1
        if set(reached) >= {*FACES, *EVENTS, *ACTIONS}:
            return
    assert set(reached) >= {*FACES, *EVENTS, *ACTIONS}


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 1))
@pytest.mark.slow
def test_views_of_states_that_differ_only_in_secrets_are_equal(seed):
    chance = random.Random(seed)
    one = CATAN_CARDS.open(SETTINGS[seed % 2], None, 2)
    for number, _ in enumerate(playout(one, random.Random(seed))):
        if number % 5:
            continue
        two = one.copy()
        replace_hidden_cards(two.hands[0], CARDS, chance)
        for stack in two.stacks:
            stack.known[0] = chance.choices(CARDS, k=len(stack.known[0]))
        assert_alike(one, two, (PUBLIC, Viewpoint("seat", 1)))


@cases("seed", range(3))
def test_a_recorder_who_sees_only_backs_records_the_same_game(seed):
    """Every effect and every point is the same as in the record of somebody who saw all cards."""
    record = CATAN_CARDS.open(SETTINGS[seed % 2], None, 2)
    backs = record.copy()
    for move, effects in playout(record, random.Random(seed)):
        line = backs.notation(move.seen(PUBLIC))
        seen = backs.parse(line)
        backs.verify(seen)
        assert backs.apply(seen, record.version) == effects
    assert backs.scores() == record.scores()


@cases(
    ("move", "field"),
    [
        ({"type": "build", "seat": 0, "card": "Garrison", "at": "1lu1\n"}, "at"),
        ({"type": "gain", "seat": 0, "at": "1ku\n"}, "at"),
        ({"type": "city", "seat": 0, "at": "n\n"}, "at"),
        ({"type": "road", "seat": 0, "side": "left", "pay": ["1kd", "1ld"]}, "pay[1]"),
    ],
)
def test_a_place_that_does_not_exist_is_refused_with_its_field(move, field):
    """A site with a line break after it was one more site, and a free one."""
    with pytest.raises(BadMoveError) as error:
        CATAN_CARDS.read_move(move)
    assert error.value.path == field


def anything(state, chance: random.Random):
    """Any move at all, by any seat."""
    seat = chance.randrange(2)
    places = [place for own in state.principalities for place in own.regions]
    sites = [f"{own + 1}{column}{side}{site}" for own in (0, 1) for column in "jlnp" for side in "ud" for site in "12"]
    card = chance.choice(CARDS)

    def some(most: int = 3) -> tuple[str, ...]:
        return tuple(sorted(chance.choices(places, k=chance.randint(1, most))))

    stack = chance.randint(1, 5)
    return chance.choice(
        [
            Roll(seat=seat, event=chance.choice(FACES), number=chance.randint(1, 6)),
            Happen(seat=seat, card=chance.choice(EVENTS)),
            Gain(seat=seat, at=chance.choice(places)),
            Take(seat=seat, at=chance.choice(places), to=chance.choice(places)),
            Strike(seat=seat, at=chance.choice(sites)),
            Confiscate(seat=seat, stack=stack, cards=(card, None)),
            Return(seat=seat, stack=stack, card=chance.choice([None, card])),
            Draw(seat=seat, stack=stack, card=chance.choice([None, card]), search=chance.random() < 0.5),
            Trade(seat=seat, give=some(), get=chance.choice(places)),
            Barter(seat=seat, give=some(1), give_to=some(1), take=some(1), take_to=some(1)),
            Road(seat=seat, side=chance.choice(["left", "right"])),
            Settle(seat=seat, side=chance.choice(["left", "right"])),
            Regions(seat=seat, up=Land(chance.choice(RESOURCES), 1), down=Land(chance.choice(RESOURCES), 6)),
            City(seat=seat, at=chance.choice("jlnp")),
            Build(seat=seat, card=card, at=chance.choice(sites), pay=some()),
            Answer(seat=seat, card=chance.choice([None, "Bishop"])),
            Caravan(seat=seat, give=some(1), get=some(1)),
            Merchant(
                seat=seat,
                take=some(1),
                take_to=some(1),
                give=some(1)[0],
                give_to=some(1)[0],
            ),
            Spy(seat=seat, card=chance.choice([None, card])),
            Show(seat=seat, cards=(card,)),
            Hold(seat=seat, cards=(card,)),
            End(seat=seat),
        ]
    )


@pytest.mark.parametrize("seed", soak_except(range(6), 0))
@pytest.mark.slow
def test_the_table_stays_sane_after_any_event(begun, check, seed):
    t = begun(target=20, profile=["rulebook", "2005"][seed % 2])
    assert t.try_random_moves(anything, check, random.Random(seed), tries=500) > 50


@cases("seed", range(3))
def test_any_way_to_pay_is_legal_and_only_a_few_are_listed(seed):
    """Of one thing to build no more than a handful of payments is offered, and every one of them is right."""
    state = CATAN_CARDS.open({"target": 9}, None, 2)
    for number, _ in enumerate(playout(state, random.Random(seed))):
        if number % 7 == 0:
            moves = list(state.legal_moves())
            assert len(moves) < 600
            assert len(set(moves)) == len(moves)


def test_chance_decides_only_what_was_left_open(begun, table):
    chance = random.Random(1)
    t = begun()
    t.state.phase, t.state.picked = "pick", [0, 0]
    filled = t.state.sample_chance(t.state.parse("pick 3 Karl ? ?"), chance)
    assert filled.cards[0] == "Karl the Strong"
    assert None not in filled.cards
    assert filled.cards.count("Karl the Strong") == 1
    t = table("1lu1 Otto the Berserker", hands=("???", "Abbey, Spy, ?"))
    t.state.tokens[0], t.state.phase, t.state.production = 0, "roll", 0
    t.do("roll event 6", "event Conflict")
    filled = t.state.sample_chance(t.state.parse("confiscate 1 Spy ?"), chance)
    assert filled.cards[0] == "Spy"
    assert filled.cards[1] is not None


def like(state, move) -> object:
    """What a move comes to: the same for all that differ in the regions of each kind only.

    What a Caravan turns into itself is nothing, unless it has to carry two.
    """
    if isinstance(move, Merchant):
        return Merchant, kinds(state, move.take), kinds(state, [move.give])
    if isinstance(move, Caravan):
        same = Counter(move.give) & Counter(move.get) if state.options.caravan_min == 1 else Counter()
        given, gained = Counter(move.give) - same, Counter(move.get) - same
        return Caravan, kinds(state, given.elements()), kinds(state, gained.elements())
    return move


def kinds(state, places) -> tuple[str, ...]:
    return tuple(sorted(state.region_at(place).resource for place in places))


def likely(state, chance: random.Random):
    """A Caravan or a Merchant with room for its resources."""
    own, other = (state.principalities[seat].regions for seat in (state.active, 1 - state.active))
    seat, count = state.active, chance.randint(1, 2)

    def fitting(places: tuple[str, ...], regions) -> tuple[str, ...]:
        return tuple(
            chance.choice([at for at, land in regions.items() if land.resource == state.region_at(place).resource])
            for place in places
        )

    give, take = (tuple(chance.choices([*regions], k=count)) for regions in (own, other))
    if chance.random() < 0.5:
        return Caravan(seat=seat, give=give, get=tuple(chance.choices([*own], k=count)))
    return Merchant(seat=seat, take=take, take_to=fitting(take, own), give=give[0], give_to=fitting(give, other)[0])


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 1))
@pytest.mark.slow
def test_every_caravan_and_merchant_that_breaks_no_rule_is_like_one_that_is_listed(seed):
    """But for Caravans that turn what they carry into the same at another region."""
    chance = random.Random(seed)
    state = CATAN_CARDS.open({"target": 7, "caravan_min": 1 + seed % 2}, None, 2)
    tried: Counter[type] = Counter()
    for number, _ in enumerate(playout(state, chance)):
        if state.phase != "actions" or state.pending or state.anyone_over_limit() or number % 8:
            continue
        twin = state.copy()
        twin.hands[state.active], twin.points, twin.spent = Hand([], 3), [3, 3], []
        twin.stacks = [Stack(stack.size, 0, [[], []]) for stack in state.stacks]
        listed = {like(twin, move) for move in twin.legal_moves()}
        for _ in range(100):
            move = likely(twin, chance)
            with suppress(ImpossibleError):
                breaches = list(twin.breaches(move))
                twin.copy().apply(move)
                if not breaches and not (isinstance(move, Caravan) and kinds(twin, move.give) == kinds(twin, move.get)):
                    tried[type(move)] += 1
                    assert like(twin, move) in listed, twin.notation(move)
    assert min(tried[Caravan], tried[Merchant]) > 20


def test_a_merchant_can_take_two_kinds_and_give_one_of_them_back(act):
    t = act(hands=("Merchant", "???"), stocks="2ku 2")
    assert "play Merchant 2ku 2mu > ku mu = ou > 2ou" in t.legal()
    assert "play Merchant 2ku 2mu > ku mu = ku > 2ku" in t.legal()
    assert "play Merchant 2ku 2ku > ku ku = ku > 2ku" in t.legal()
    assert "play Merchant 2ku > ku = ku > 2ku" not in t.legal()


class Truth:
    """The cards as they really lie: five stacks from the top, two hands; and moves told with what they really were."""

    def __init__(self, state, chance: random.Random) -> None:
        box = [card for card, kind in state.box.cards.items() for _ in range(kind.count)]
        cards = chance.sample(box, len(box))
        self.chance, self.hands = chance, ([], [])
        self.stacks = [[cards.pop() for _ in range(stack.size)] for stack in state.stacks]

    def can_be(self, move) -> bool:
        """Whether the cards that the move plays are really in hand."""
        held = Counter(self.hands[move.seat]) if move.seat is not None else Counter()
        return all(
            not Counter(cards) - held
            for _, cards in move.newly_seen_cards()
            if not isinstance(move, Draw | Return | Confiscate)
        )

    def told(self, move):
        """The move with its hidden cards named, which have gone where it says."""
        match move:
            case Pick() | Draw():
                stack, count = self.stacks[move.stack - 1], 3 if isinstance(move, Pick) else 1
                top = isinstance(move, Draw) and not move.search
                cards = tuple(stack.pop(0 if top else self.chance.randrange(len(stack))) for _ in range(count))
                self.hands[move.seat].extend(cards)
                named = {"cards": cards} if isinstance(move, Pick) else {"card": cards[0]}
            case Return() | Confiscate():
                hand = self.hands[move.seat if isinstance(move, Return) else 1 - move.seat]
                cards = tuple(hand.pop() for _ in range(1 if isinstance(move, Return) else len(move.cards)))
                self.stacks[move.stack - 1].extend(cards)
                named = {"card": cards[0]} if isinstance(move, Return) else {"cards": cards}
            case Spy(taken=True):
                self.hands[move.seat].remove("Spy")
                card = self.hands[1 - move.seat].pop()
                self.hands[move.seat].append(card)
                named = {"card": card}
            case _:
                for seat, cards in move.newly_seen_cards():
                    for card in cards:
                        self.hands[seat].remove(card)
                named = {}
        return msgspec.structs.replace(move, **named)


@pytest.mark.parametrize("seed", soak_except(range(6), 0, 1))
@pytest.mark.slow
def test_a_table_that_is_noted_as_it_is_breaks_no_rule_and_what_is_thought_of_stacks_is_true(seed):
    chance = random.Random(seed)
    state = CATAN_CARDS.open({"target": 7}, None, 2)
    state.apply(Start(starts=0))
    truth, remembered = Truth(state, chance), 0
    while moves := [move for move in state.legal_moves() if truth.can_be(move)]:
        kind = chance.choice(sorted({type(move) for move in moves}, key=str))
        move = truth.told(chance.choice([move for move in moves if type(move) is kind]))
        move = state.sample_chance(move, chance)
        state.verify(move)
        for effect in state.apply(move):
            if effect.kind == "card.struck":
                truth.hands[effect.seat].append(effect.at[0])
        for stack, cards in zip(state.stacks, truth.stacks, strict=True):
            for named in (stack.sure, *(stack.known[seat] + stack.common for seat in (0, 1))):
                assert not Counter(named) - Counter(cards)
            assert not Counter(stack.reachable()) or len(cards) <= stack.under
        assert [hand.known for hand in state.hands] == [sorted(hand) for hand in truth.hands]
        remembered += any(stack.sure for stack in state.stacks)
    assert remembered > 20
    assert state.ending
