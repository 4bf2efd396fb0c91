"""What is certain of the cards of a game of Kahuna, followed move by move."""

from __future__ import annotations

from games.contract import RECORD, Viewpoint
from games.kahuna.knowledge import KahunaWatch
from games.rulesets import RULESETS

BURIED_COCO = [
    *("deal black BARI COCO DUDA", "-", "d3", "+COCO/ELAI", "-", "+BARI/FAAA", "-", "d1", "BARI-DUDA", "+", "+?COCO"),
    *("+", "+?COCO"),
]


def follow(lines: list[str], viewpoint: Viewpoint = RECORD) -> tuple[KahunaWatch, list[int]]:
    """The watch at the end, and the numbers of the lines after which anything was possible."""
    state, watch, fitting = RULESETS["kahuna"].open({}, None, 2), KahunaWatch(), []
    for number, line in enumerate(lines):
        before, move = state.view(viewpoint), state.parse(line)
        state.apply(move, number + 1)
        watch.follow(before, move.seen(viewpoint), state.view(viewpoint))
        fitting += [number] if watch.cards.is_exact else []
    return watch, fitting


def test_a_third_copy_is_found_although_one_was_put_away_unseen() -> None:
    """Of COCO and BARI white put one away unseen and then played BARI: so COCO lies there, and one is left to draw."""
    _, fitting = follow(BURIED_COCO)
    assert fitting == list(range(len(BURIED_COCO) - 1))


def test_the_public_knows_no_more_than_it_saw() -> None:
    """What black drew unseen changes nothing of what the public knows."""
    seen = [
        follow([*BURIED_COCO[:-3], "+", last], Viewpoint("public"))[0].cards.odds("deck")
        for last in ("+?COCO", "+?HUNA")
    ]
    assert seen[0] == seen[1]
    assert sum(seen[0].values()) > 0
