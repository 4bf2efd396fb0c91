"""What each move does on the table. A move that cannot be is refused before anything is changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from games.contract import Effect
from games.errors import ImpossibleError
from games.hidden import Hand
from games.verraeter.components import COPIES, DEALT, HAND_LIMIT, HOUSES, SUPPLY, House, border, other
from games.verraeter.conflict import conquest, resolve, reward
from games.verraeter.moves import (
    Aside,
    Choose,
    Draw,
    Hold,
    Lands,
    Lay,
    Points,
    Put,
    Reveal,
    Site,
    Skip,
    Start,
    Turn,
    VerraeterMove,
)
from games.verraeter.rounds import begin_round, build_next, draw, draw_on, finish_round, to_move
from games.verraeter.state import UNSEEN, Holding
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.verraeter.state import Due, VerraeterState

KINDS = {
    "house.chosen": "{seat} belongs to {at}",
    "start.chosen": "{seat} is the start player",
    "strategy.given": "{seat} gets the strategy card",
    "lands.laid": "The circle is {at}",
    "supplies.dealt": "Everybody holds 3, 4 and 5; {count} cards are the pile",
    "estate.put": "{seat} put an estate at {at}",
    "post.put": "{seat} put a trading post at {at}",
    "estate.turned": "{seat} turned the trading post at {at} to an estate",
    "post.turned": "{seat} turned the estate at {at} to a trading post",
    "build.skipped": "{seat} built nothing",
    "round.begun": "Round {count}: {seat} chooses where the conflict is",
    "site.chosen": "The conflict is at {at}",
    "action.chosen": "{seat} chose an action",
    "action.removed": "{seat} noted the action that was put aside",
    "supplies.laid": "{seat} laid {at}",
    "supplies.kept": "{seat} laid nothing",
    "action.revealed": "{seat} is the {at}",
    "house.changed": "{seat} went over to {at}",
    "strength.counted": "{at}",
    "conflict.won": "{at} won the conflict",
    "conflict.tied": "The conflict is a tie",
    "conflict.unrewarded": "Nobody belongs to {at}: nobody scores for the land",
    "points.read": "{at}: {count} points each",
    "points.scored": "{seat} scored {count}: {at}",
    "land.conquered": "Conquered: {at}",
    "strategy.taken": "{seat} takes the strategy card",
    "supplies.spent": "{count} cards go to the discards",
    "pile.shuffled": "The {count} discards are shuffled and are the new pile",
    "cards.drawn": "{seat} drew {count}",
    "cards.discarded": "{seat} discarded {at} before drawing",
    "cards.forgone": "{seat} does without {count}",
    "hand.exceeded": "{seat} may draw {count} and has to choose: fewer, or discards first",
    "hand.noted": "{seat} noted cards in hand",
    "start.passed": "{seat} is the start player now",
    "game.ended": "The game is over",
    "game.won": "{seat} won with {count} points",
    "victory.shared": "{seat} shares the victory with {count} points",
}
"""Every kind of effect, and the sentence it reads as."""


def apply(state: VerraeterState, move: VerraeterMove) -> list[Effect]:
    """Carry the move out, and say what followed. Raises `ImpossibleError`."""
    if move.seat is not None and move.seat >= len(state.houses):
        raise ImpossibleError(f"{state.seats} play: there is no {name(move.seat)}", "verraeter:1")
    _demand_time(state, move)
    return _APPLY[type(move)](state, move)


# Setup


def _start(state: VerraeterState, move: Start) -> list[Effect]:
    seats = state.seats
    if move.starts >= seats:
        raise ImpossibleError(f"{seats} play: there is no {name(move.starts)}", "verraeter:1")
    if len(move.houses) != seats and (move.houses or not state.options.alternating_allegiance):
        raise ImpossibleError(f"{seats} houses are to be named, not {len(move.houses)}", "verraeter:4")
    state.start = move.starts
    state.houses = list(move.houses) or alternating(seats, move.starts)
    state.strategy = (move.starts + 1) % seats
    state.due = "lands"
    return [
        Effect("start.chosen", "verraeter:3", state.start),
        *(Effect("house.chosen", "verraeter:4", seat, (house,)) for seat, house in enumerate(state.houses)),
        Effect("strategy.given", "verraeter:9", state.strategy),
    ]


def alternating(seats: int, starts: int) -> list[House]:
    """The houses when they alternate clockwise from the start player, who is Eagle."""
    return [HOUSES[(seat - starts) % seats % 2] for seat in range(seats)]


def _lands(state: VerraeterState, move: Lands) -> list[Effect]:
    noted = {place: (laid.land, laid.house) for place, laid in enumerate(move.lands) if laid}
    for place, land in enumerate(state.lands):
        if land and place in noted and noted[place] != (land, state.owners[place]):
            raise ImpossibleError(f"land {place + 1} is known to be {state.owners[place]}'s {land}", "verraeter:5")
    known = {place: (land, state.owners[place]) for place, land in enumerate(state.lands) if land} | noted
    for (land, _), count in Counter((land, None) for land, _ in known.values()).items():
        if count > 2:
            raise ImpossibleError(f"there are two lands {land}, not {count}", "verraeter:5")
    for place, (land, house) in noted.items():
        state.lands[place], state.owners[place] = land, house
    effects = [Effect("lands.laid", "verraeter:5", at=tuple(land or "?" for land in state.lands))]
    if not all(state.lands):
        return effects
    state.hands = [Hand(sorted(DEALT), 0, sorted(DEALT)) for _ in state.hands]
    state.pile = len(SUPPLY) - len(DEALT) * state.seats
    state.due = "estates"
    return [*effects, Effect("supplies.dealt", "verraeter:6", count=state.pile)]


# Estates and trading posts


def _put(state: VerraeterState, move: Put) -> list[Effect]:
    if state.holdings[move.place]:
        raise ImpossibleError(f"a card lies under {state.label(move.place)} already", "verraeter:8")
    if not state.reserve(move.seat):
        raise ImpossibleError(f"{name(move.seat)} has no card left in reserve", "verraeter:2")
    state.holdings[move.place] = Holding(move.seat, move.side)
    rule = "verraeter:7" if state.due == "estates" else "verraeter:20"
    if move.side == "estate":
        effects = [Effect("estate.put", rule, move.seat, (state.label(move.place),))]
    else:
        effects = [Effect("post.put", rule, move.seat, (state.label(move.place),))]
    if state.due == "estates":
        return effects if to_move(state) is not None else effects + begin_round(state)
    return effects + _built(state)


def _turn(state: VerraeterState, move: Turn) -> list[Effect]:
    held, label = state.holdings[move.place], state.label(move.place)
    if held is None:
        raise ImpossibleError(f"no card lies under {label}", "verraeter:20")
    if held.side == "estate":
        state.holdings[move.place] = Holding(held.seat, "post")
        effect = Effect("post.turned", "verraeter:20", held.seat, (label,))
    else:
        state.holdings[move.place] = Holding(held.seat, "estate")
        effect = Effect("estate.turned", "verraeter:20", held.seat, (label,))
    return [effect, *_built(state)]


def _built(state: VerraeterState) -> list[Effect]:
    """What follows when somebody has built: the step is over, if it was its time."""
    return finish_round(state) if state.due == "build" else []


def _skip(state: VerraeterState, move: Skip) -> list[Effect]:
    return [Effect("build.skipped", "verraeter:A5", move.seat), *finish_round(state)]


# The conflict


def _site(state: VerraeterState, move: Site) -> list[Effect]:
    if state.owners[move.place] == state.owners[(move.place + 1) % len(state.owners)]:
        raise ImpossibleError(
            f"both lands at {border(move.place)} belong to {state.owners[move.place]}: no conflict can be there",
            "verraeter:11",
        )
    state.site = move.place
    state.due = "lay"
    return [Effect("site.chosen", "verraeter:11", move.seat, (border(move.place),))]


def _choose(state: VerraeterState, move: Choose) -> list[Effect]:
    if state.choices[move.seat] is not None:
        raise ImpossibleError(f"{name(move.seat)} has chosen already", "verraeter:12")
    if move.action and move.action in (*state.choices, state.aside):
        raise ImpossibleError(f"the {move.action} is noted already, and there is one only", "verraeter:12")
    state.choices[move.seat] = move.action or UNSEEN
    return [Effect("action.chosen", "verraeter:12", move.seat)]


def _aside(state: VerraeterState, move: Aside) -> list[Effect]:
    if move.seat != state.start:
        raise ImpossibleError(f"only {name(state.start)} can know what was put aside", "verraeter:A32")
    if state.aside is not None:
        raise ImpossibleError("what was put aside is noted already", "verraeter:A32")
    if move.action and move.action in state.choices:
        raise ImpossibleError(f"the {move.action} is noted already, and there is one only", "verraeter:12")
    state.aside = move.action or UNSEEN
    return [Effect("action.removed", "verraeter:A32", move.seat)]


def _lay(state: VerraeterState, move: Lay) -> list[Effect]:
    demand_cards(state, move.seat, move.cards)
    _give(state, move.seat, move.cards)
    state.laid[move.seat] = [*(state.laid[move.seat] or ()), *move.cards]
    if to_move(state) is None:
        state.due = "reveal"
    if not move.cards:
        return [Effect("supplies.kept", "verraeter:13", move.seat)]
    return [Effect("supplies.laid", "verraeter:13", move.seat, move.cards)]


def _reveal(state: VerraeterState, move: Reveal) -> list[Effect]:
    _demand_revealed(state, move.actions)
    state.actions = list(move.actions)
    state.choices = [None] * state.seats
    effects = [Effect("action.revealed", "verraeter:14", seat, (move.actions[seat],)) for seat in state.order()]
    traitor = state.actor("Traitor")
    if traitor is not None:
        state.houses[traitor] = other(state.houses[traitor])
        effects.append(Effect("house.changed", "verraeter:14", traitor, (state.houses[traitor],)))
    effects += resolve(state)
    return effects if state.due == "points" else effects + build_next(state)


def _demand_revealed(state: VerraeterState, actions: Sequence[str]) -> None:
    if len(actions) != state.seats:
        raise ImpossibleError(f"{state.seats} actions are revealed, not {len(actions)}", "verraeter:14")
    for seat, action in enumerate(actions):
        if actions.count(action) > 1:
            raise ImpossibleError(f"there is only one {action}", "verraeter:12")
        if action == state.aside:
            raise ImpossibleError(f"the {action} was put aside", "verraeter:A32")
        chosen = state.choices[seat]
        if chosen not in (None, UNSEEN, action):
            raise ImpossibleError(f"{name(seat)} noted the {chosen}, not the {action}", "verraeter:12")


def _points(state: VerraeterState, move: Points) -> list[Effect]:
    won = conquest(state)
    if won is None:
        raise ImpossibleError("nothing was conquered", "verraeter:16")
    land, winners = state.lands[won.place], len(state.members(won.winner))
    if state.known_points(land, winners) is None:
        state.learnt[land][winners - 1] = move.points
    effects = [Effect("points.read", "verraeter:16", at=(f"{land} with {winners}",), count=move.points)]
    return effects + reward(state, won, move.points) + build_next(state)


# Drawing


def _draw(state: VerraeterState, move: Draw) -> list[Effect]:
    seat, count = state.draws[0]
    if move.seat != seat:
        raise ImpossibleError(f"it is {name(seat)} who draws now, not {name(move.seat)}", "verraeter:24")
    demand_cards(state, seat, move.discards)
    hand, effects = state.hands[seat], []
    _give(state, seat, move.discards)
    state.discards += move.discards
    if move.discards:
        effects.append(Effect("cards.discarded", "verraeter:26", seat, move.discards))
    drawn = min(count, HAND_LIMIT - len(hand))
    if drawn < count:
        effects.append(Effect("cards.forgone", "verraeter:26", seat, count=count - drawn))
    if drawn:
        effects += draw(state, seat, drawn)
    del state.draws[0]
    return effects + draw_on(state)


def _hold(state: VerraeterState, move: Hold) -> list[Effect]:
    demand_cards(state, move.seat, move.cards)
    state.hands[move.seat].note(move.cards)
    return [Effect("hand.noted", "verraeter:A18", move.seat)]


_APPLY: dict[type[VerraeterMove], Callable[[VerraeterState, Any], list[Effect]]] = {
    Start: _start,
    Lands: _lands,
    Put: _put,
    Site: _site,
    Choose: _choose,
    Aside: _aside,
    Lay: _lay,
    Reveal: _reveal,
    Points: _points,
    Turn: _turn,
    Skip: _skip,
    Draw: _draw,
    Hold: _hold,
}

_STEPS: dict[Due, tuple[str, str]] = {
    "start": ("the start player is to be named", "verraeter:3"),
    "lands": ("the lands are to be laid out", "verraeter:5"),
    "estates": ("the estates are to be put under lands", "verraeter:7"),
    "site": ("the conflict card is to be put down", "verraeter:11"),
    "lay": ("the supply cards are to be laid", "verraeter:13"),
    "reveal": ("the action cards are to be revealed", "verraeter:14"),
    "points": ("the points on the conquered card are to be read", "verraeter:16"),
    "build": ("the Builder is to build", "verraeter:20"),
    "draw": ("somebody has to choose how to draw", "verraeter:26"),
}
"""What comes next, in words, and the rule by which it does."""

_TIMES: dict[type[VerraeterMove], tuple[Due, ...]] = {
    Start: ("start",),
    Lands: ("lands",),
    Put: ("estates", "build"),
    Site: ("site",),
    Choose: ("lay", "reveal"),
    Aside: ("lay", "reveal"),
    Lay: ("lay", "reveal"),
    Reveal: ("reveal",),
    Points: ("points",),
    Turn: ("build",),
    Skip: ("build",),
    Draw: ("draw",),
}
"""The steps at which a move can be made. Each step builds on what lies there after the one before."""


def step_words(state: VerraeterState) -> str:
    """What comes next, in words."""
    return _STEPS[state.due][0] if state.due else "the game is over"


def is_time(state: VerraeterState, move: VerraeterMove) -> bool:
    """Whether it is the step for such a move, or one at which it can be all the same."""
    kind = type(move)
    return kind is Hold or state.due in _TIMES[kind] or (kind in (Put, Turn) and builds_late(state))


def builds_late(state: VerraeterState) -> bool:
    """Whether somebody can have built who was not asked to: after a reveal, until the next conflict card lies there."""
    if state.due == "site":
        return state.round > 1
    return state.due in ("draw", None) and bool(state.actions)


def _demand_time(state: VerraeterState, move: VerraeterMove) -> None:
    if is_time(state, move):
        return
    turn = to_move(state)
    whose = f": it is {name(turn)}'s turn" if turn is not None else ""
    rule = _STEPS[state.due][1] if state.due else state.outcome.rule if state.outcome else None
    raise ImpossibleError(f"now {step_words(state)}{whose}", rule)


def _give(state: VerraeterState, seat: int, cards: Sequence[str]) -> None:
    """Let cards out of a hand, where everybody sees them."""
    hand = state.hands[seat]
    for card in cards:
        is_open = card in hand.open
        hand.give(card)
        if state.shuffled and not is_open:
            state.shuffled.give(seat, card, len(hand) - len(hand.open))


def demand_cards(state: VerraeterState, seat: int, cards: Sequence[str]) -> None:
    """Make sure that the cards can be in the hand. Raises `ImpossibleError`."""
    hand = state.hands[seat]
    lacking = hand.lacking(cards)
    if len(lacking) > hand.unknown:
        holds = " ".join([*hand.known, *["?"] * hand.unknown]) or "no card"
        raise ImpossibleError(f"{name(seat)} holds {holds}, not {' '.join(cards)}", "verraeter:A18")
    demand_copies(state, lacking)


def demand_copies(state: VerraeterState, cards: Sequence[str]) -> None:
    """Make sure that cards not known yet can exist beside all that are known. Raises `ImpossibleError`."""
    for card in cards:
        if cards.count(card) > state.at_large(card):
            raise ImpossibleError(
                f"there are {COPIES[card]} cards of {card}, and {state.located(card)} of them known to lie elsewhere",
                "verraeter:A17",
            )
