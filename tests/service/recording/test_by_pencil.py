"""What a person at the table works out with a pencil about hidden cards: the service says the same."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from games.contract import PUBLIC, RECORD
from projections.analyses.game_replay import replay_of
from projections.analyses.luck import _events
from tests.games.manapani.test_seen_cards import small_box

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.contract import Viewpoint
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


class Position(NamedTuple):
    """The lines of a record, and what follows from them: a line that cannot be, or the odds of the last drawn card."""

    ruleset: str
    lines: str
    refused: str = ""
    says: str = ""
    odds: Mapping[str, Fraction] = {}
    viewpoint: Viewpoint = RECORD


THIRD = "deal black BARI COCO DUDA|-|d3|+COCO/ELAI|-|+BARI/FAAA|-|d1|BARI-DUDA|+|+?COCO|+"
PICKED = (
    "start 1|lay ore2 brick5 lumber4 wool3 gold6 grain1|lay gold1 lumber5 grain2 brick6 ore3 wool4"
    "|pick 1 Mint Abbey Sawmill|pick 2 ? ? ?|roll tournament 6|under 1 Mint"
)
LANDS = (
    "lands R-Meadow R-City E-City R-Wilderness E-Village R-Village R-Woods R-River E-River E-Wilderness E-Meadow"
    " E-Woods"
)

POSITIONS = {
    # Three of 24 cards lie in the row. Of the other 21, two are FAAA and one is BARI.
    "the deck and the hands are all that nobody sees": Position(
        "kahuna", "deal black BARI COCO DUDA|+BARI/FAAA", odds={"FAAA": Fraction(2, 21), "BARI": Fraction(1, 21)}
    ),
    # Black showed both ELAI. So 19 cards are left, and none of them is ELAI.
    "two shown copies cannot come": Position(
        "kahuna",
        "deal black BARI COCO DUDA|black: show ELAI ELAI|+BARI/FAAA",
        odds={"FAAA": Fraction(2, 19), "ELAI": Fraction(0)},
    ),
    # The public saw them, too.
    "what was shown is known to all": Position(
        "kahuna",
        "deal black BARI COCO DUDA|black: show ELAI ELAI|+BARI/FAAA",
        odds={"FAAA": Fraction(2, 19), "ELAI": Fraction(0)},
        viewpoint=PUBLIC,
    ),
    "white cannot show the third copy": Position(
        "kahuna",
        "deal black BARI COCO DUDA|black: show ELAI ELAI",
        refused="white: show ELAI",
        says="of ELAI the box has 2 cards, and 2 are known to lie elsewhere: see entry 3",
    ),
    # White took one COCO from the row, and the other one came in entry 12. White put a card away unseen: perhaps COCO,
    # but then it lies in the discards. There is no third one.
    "a third copy does not come, wherever the first one went": Position(
        "kahuna", THIRD, refused="+?COCO", says="by all that was seen up to entry 12 no COCO can come"
    ),
    # Each player begins with the supply cards 3, 4 and 5, and has drawn nothing yet.
    "a hand of Verräter is known before the first draw": Position(
        "verraeter",
        f"start 1 E E E|{LANDS}|estate 1|estate 6|estate 12",
        refused="1: hold 8",
        says="player 1 holds 3 4 5, not 8",
    ),
    "nor has anybody else a second 5": Position(
        "verraeter",
        f"start 1 E E E|{LANDS}|estate 1|estate 6|estate 12",
        refused="3: hold 5 5",
        says="player 3 holds 3 4 5, not 5 5",
    ),
    # The deck has one Fly, and player 1 noted it.
    "a single card is in one hand": Position(
        "manapani",
        "start 1|1: hold Fly Dwarf",
        refused="2: hold Fly",
        says="of Fly the box has 1 card, and 1 is known to lie elsewhere: see entry 3",
    ),
    "nor can two players have it together": Position(
        "manapani", "start 1", refused="2: hold Fly Fly", says="of Fly the box has 1 card, not 2"
    ),
    # The only Mint went under stack 1, so it is in no hand.
    "a card under a stack is in no hand": Position(
        "catan_cards", PICKED, refused="2: hold Mint", says="Mint was put under stack 1: see entries 5, 8"
    ),
    "of two Abbeys one hand has not both if another has one": Position(
        "catan_cards",
        PICKED,
        refused="2: hold Abbey Abbey",
        says="of Abbey the box has 2 cards, and 1 is known to lie elsewhere: see entry 5",
    ),
    # Stack 1 had 13 of 62 cards. Beside Mint and Sawmill 11 of its cards were open, and 49 others. Both Abbeys were in
    # the 11 in 55 ways, and exactly one in 11 · 49: so both in 5 of 54. The second is the next of 10 cards in 1 of 108.
    # Otherwise it is one of the 58 cards that are neither picked nor an Abbey, and each is as likely as another.
    "a second copy is less likely in the stack where the first was found": Position(
        "catan_cards",
        f"{PICKED}|draw 1 Bishop",
        odds={
            "Abbey": Fraction(1, 108),
            "Bishop": 2 * Fraction(107, 108) / 58,
            "Library": 2 * Fraction(107, 108) / 58,
            "Mint": Fraction(0),
        },
    ),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=list(POSITIONS))
def test_the_service_says_what_a_pencil_says(api: Api, position: Position) -> None:
    more: dict[str, Any] = {"components": small_box()} if position.ruleset == "manapani" else {}
    seats: list[Any] = [{}] * (3 if position.ruleset == "verraeter" else 2)
    game = api.open(ruleset=position.ruleset, seats=seats, **more)
    answer = api.record(game, *position.lines.split("|"))
    assert answer.status_code == 201, answer.text
    if position.refused:
        refused = api.record(game, position.refused)
        assert refused.status_code == 422
        assert position.says in refused.get_json()["detail"]
        return
    folds = api.app.context.archive.folds
    *_, last = _events(replay_of(folds, game, folds.current(game).version, position.viewpoint))
    whole = sum(last.odds.values())
    assert {card: Fraction(last.odds.get(card, 0), whole) for card in position.odds} == position.odds
