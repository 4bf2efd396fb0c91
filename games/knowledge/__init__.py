"""What can be known of hidden cards, exactly: all arrangements that agree with what was seen, by kind of card.

A shuffle makes a pile of unknown order, so all places of its cards are alike until a card is seen. So an arrangement
leaves cards open: a place holds named cards, and a number of slots of a pile. A slot is any one of the cards of the
pile. A later shuffle can include slots, so a pile can hold slots of earlier piles. A few such arrangements represent
all possible ones, each with a weight. Negative weights subtract what was counted twice, by inclusion and exclusion. The
sums are exact: weights are whole numbers, parts of one common whole.

After an unseen choice of a player, all cards that could have been chosen are equally likely. So the cards of the place
count as shuffled: they become a pile, and one of its slots goes. A card that is searched in several places comes from
the first place that has it.

If there are too many arrangements, a sample is drawn, with higher weights for arrangements that are less likely to be
drawn. So each weight is right on average, and odds are near the exact ones. `is_exact` is False then. A later fact can
rule out the whole sample. Then everything is counted again with a sample of twice the size. A sample that is ruled out
has no weights at all, so the weights of the next one are still right on average, compared with each other.

`Knowledge` has the weights, for odds. `Possibilities` only checks whether any arrangement fits, and is much faster.
Both learn from facts about cards, which come from moves. A `Course` has the possibilities at each moment of a game.
"""

from __future__ import annotations

from games.knowledge.course import Course
from games.knowledge.facts import DRAWN, LOOKED_FOR, SEARCHED, SHUFFLED, Fact, Table, Teller
from games.knowledge.possibilities import Possibilities
from games.knowledge.weights import Knowledge

__all__ = [
    "DRAWN",
    "LOOKED_FOR",
    "SEARCHED",
    "SHUFFLED",
    "Course",
    "Fact",
    "Knowledge",
    "Possibilities",
    "Table",
    "Teller",
]
