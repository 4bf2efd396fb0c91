"""Messages about impossible cards name the entries that show it, to each viewpoint those that it knows.

Two records differ only in facts that a viewpoint may not know. Moves, notes and corrections that contradict what was
seen get the same answers in both.
"""

from __future__ import annotations

import itertools
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import PUBLIC, Viewpoint
from tests.choosing import soak_except
from tests.games.misrecording import legal_or_odd_move
from tests.service.twins import CARDS, OVERRIDE, Twins

if TYPE_CHECKING:
    from tests.service.conftest import Api

NAMED = re.compile(r"see entr(?:y|ies) \d|up to entry \d|put under it in entry \d")
SEAT = Viewpoint("seat", 0)
SENDERS = {PUBLIC: "blind recorder", SEAT: "player"}
"""Who sends entries from there."""
PLAYED, SENT = 60, 80
TELLING = [
    *(("kahuna", PUBLIC, 11), ("verraeter", PUBLIC, 3), ("manapani", PUBLIC, 9), ("catan_cards", PUBLIC, 0)),
    *(("kahuna", SEAT, 3), ("verraeter", SEAT, 5), ("manapani", SEAT, 6), ("catan_cards", SEAT, 1)),
]
"""Records that really differ, with answers that name entries. `make test` has every other one, `make soak` all."""


class Mistaken(Twins):
    """Two games with many notes and moves that contradict each other."""

    def play(self) -> None:
        for _ in range(PLAYED):
            self.chance.choice([self.move] * 8 + [self.note_cards] * 3 + [self.mistake] * 3 + [self.rule])()

    def mistake(self) -> None:
        """A move that may name other cards than came."""
        self._move("move.made", self.heads, legal_or_odd_move(self.heads[0].state.copy(), self.chance))

    def mistaken_drafts(self) -> list[tuple[str, dict[str, Any]]]:
        """Moves with cards that may be elsewhere, as of any moment, and corrections, for the seat of the viewpoint."""
        found = list[tuple[str, dict[str, Any]]]()
        while len(found) < SENT:
            entry = self._entry()
            state = self.chance.choice([self.heads[0], self.after(entry)[0]]).state.view(self.viewpoint)
            move = legal_or_odd_move(state, self.chance)
            if move is None or self.viewpoint.seat not in (None, move.seat):
                found.append(("entry.withdrawn", {"entry": entry}))
                continue
            data = {"move": self.ruleset.move_data(move)}
            found += [("move.made", data), ("move.made", data | OVERRIDE)]
            found.append(("move.revealed", data | {"entry": entry}))
            found.append(("entry.inserted", data | {"after": entry}))
        return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "viewpoint", "seed"),
    soak_except(itertools.product(CARDS, SENDERS, range(12)), *TELLING[:4:2], *TELLING[5::2]),
    ids=lambda value: getattr(value, "name", value),
)
def test_entries_that_messages_name_tell_no_hidden_fact(api: Api, name: str, viewpoint: Viewpoint, seed: int) -> None:
    twins = Mistaken(api, name, viewpoint, random.Random(f"named {name} {viewpoint} {seed}"))
    twins.play()
    api.catch_up()
    sender = twins.guest(SENDERS[viewpoint])
    where = "" if viewpoint.seat is None else f"seat={viewpoint.seat}"
    parts = ("timeline?limit=1000&", "score?", "moves?", "export?format=text&", "export?format=ndjson&")
    paths = [f"/v1/games/{{game}}/{part}{where}" for part in parts]
    one, other = twins.answers(sender, 0, paths), twins.answers(sender, 1, paths)
    for path in paths:
        assert one[path] == other[path], path
    drafts = twins.mistaken_drafts()
    tried = [twins.tries(sender, number, drafts) for number in (0, 1)]
    for draft, *said in zip(drafts, *tried, strict=True):
        assert said[0] == said[1], draft
    if (name, viewpoint, seed) in TELLING:
        assert twins.apart
        assert any(map(NAMED.search, tried[0]))
