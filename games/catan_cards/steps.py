"""The steps of a turn: its phases and the choices in it, in words, with their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from games.errors import ImpossibleError, RuleBrokenError
from games.words import Sentence

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState

Kind = Literal["event", "gain", "take", "strike", "confiscate", "give", "look", "counter", "duel", "regions"]
Phase = Literal["start", "lay", "pick", "roll", "event", "actions", "refill", "exchange"]
Due = Kind | Phase | Literal["excess"]

SETUP: frozenset[Phase | None] = frozenset({"start", "lay", "pick"})


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """A task that a player must do before anything else: its kind, its seat, and its rule.

    `card` is the duel's card, or a possible target: unit, knight or building. `column` is where regions are laid.
    `countered` says whether a duel was countered.
    """

    kind: Kind
    seat: int
    rule: str
    card: str = ""
    column: str = ""
    countered: bool = False


_STEPS: dict[Due, Sentence] = {
    "start": Sentence("the one who starts is to be named"),
    "lay": Sentence("the regions are to be laid"),
    "pick": Sentence("the first cards are to be picked"),
    "roll": Sentence("the dice are to be rolled"),
    "event": Sentence("the event card is to be drawn"),
    "gain": Sentence("a resource is to be chosen"),
    "take": Sentence("a resource is to be taken"),
    "strike": Sentence("a card is chosen that goes back to the hand"),
    "confiscate": Sentence("cards of the other hand go under a stack"),
    "give": Sentence("a card is to be given up"),
    "look": Sentence("a card is to be chosen from a stack"),
    "counter": Sentence("the attack is to be answered, or not"),
    "duel": Sentence("the attacker's die is to be rolled"),
    "regions": Sentence("the two new regions are to be laid"),
    "excess": Sentence("cards over the hand limit go under stacks"),
    "actions": Sentence("the turn goes on"),
    "refill": Sentence("the hand is to be refilled"),
    "exchange": Sentence("a card is to be drawn for the one put away"),
}
_RULES: dict[Phase, str] = {
    "start": "catan_cards:17",
    "lay": "catan_cards:11",
    "pick": "catan_cards:18",
    "roll": "catan_cards:20",
    "event": "catan_cards:20",
    "actions": "catan_cards:20",
    "refill": "catan_cards:56",
    "exchange": "catan_cards:57",
}
"""The rule of each phase, where no choice is pending and nobody holds too many cards."""


def step_words(state: CatanCardsState) -> Sentence:
    """The next step, in words."""
    return _STEPS[state.due] if state.due else Sentence("the game is over")


def step_rule(state: CatanCardsState) -> str:
    """The rule of the next step."""
    if state.pending:
        return state.pending[0].rule
    if state.phase is None:
        return state.ending.rule if state.ending else "catan_cards:60"
    return excess_rule(state) if state.anyone_over_limit() else _RULES[state.phase]


def excess_rule(state: CatanCardsState) -> str:
    """The rule for putting away cards over the limit now."""
    if state.phase == "refill" and state.options.own_turn_limit == "end":
        return "catan_cards:Q50"
    return "catan_cards:27" if state.phase == "event" else "catan_cards:54"


def step_breach(state: CatanCardsState, wrong: Sentence, rule: str | None = None) -> RuleBrokenError:
    """The breach of a move at a wrong step; it names the due step."""
    return RuleBrokenError(
        rule or step_rule(state), "{wrong}: now {step_words}", wrong=wrong, step_words=step_words(state)
    )


def out_of_step(state: CatanCardsState, wrong: Sentence) -> ImpossibleError:
    """The error of a move that is only possible at another step."""
    if state.phase is None:
        return ImpossibleError("the game is over", step_rule(state))
    return ImpossibleError("{wrong}: now {step_words}", step_rule(state), wrong=wrong, step_words=step_words(state))
