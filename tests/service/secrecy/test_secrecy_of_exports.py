"""Two games that differ only in facts that a caller may not know leave by every format as the same file.

Also where not everybody may see the games: by every visibility, and as long as each other.
"""

from __future__ import annotations

import io
import itertools
import random
import re
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from uuid_utils import uuid7

from games.contract import PUBLIC
from service.api.exporting import EXPORTS, XLSX
from service.api.offers import FORMS
from tests import tiers
from tests.choosing import soak_except
from tests.service.secrecy.test_secrecy import LOOKING, VIEWPOINTS
from tests.service.twins import CARDS, Twins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.test import TestResponse

    from games.contract import Viewpoint
    from tests.service.conftest import Api

SIZES = re.compile(r'(?<="name":")((?:tables\.xlsx|report\.html)"[^}]*"bytes":)\d+')
"""The sizes of a packed file and of one with a picture of an address depend on the ids in them."""

TRACKED = re.compile(r'(?<="uuid":")[0-9A-F-]{36}|(?<=<play id=")\d{16}|(?<=a time):\d\d')
"""An id in a file for a tracker, which follows from the id of the game, and the seconds of a time there."""

VISIBILITIES = ("private", "link", "public")
GAME = ("/v1/games/{game}/bgstats", "/embed/games/{game}", "/games/{game}/card.png", "/v1/games/{game}/board.png")
"""What else of a game goes to other programs."""

FILES = (
    *("/v1/exports?game={game}", *(f"/v1/exports/{name}?game={{game}}" for name in EXPORTS)),
    *(f"/v1/games/{{game}}/export?format={form}&names=true" for form in dict.fromkeys(each.format for each in FORMS)),
    *("/v1/games/{game}/score?format=csv", *GAME),
)
TELLING = ("entries.csv", "tables.ndjson", "records.ndjson", "records.txt", "tables.xlsx")
"""Files in which it is to be seen that the games are not the same."""


class Files(Twins):
    """Twins that are asked for files. A spreadsheet is taken for what is in it: its size depends on the ids, too."""

    def files(self, guest: Api, number: int, paths: Sequence[str] = FILES) -> dict[str, Any]:
        """What is answered by each path: status, headers, and what is in the file."""
        return {path: self._file(guest.get(path.format(game=self.games[number])), number) for path in paths}

    def _file(self, answer: TestResponse, number: int) -> Any:
        kind, game = answer.content_type, self.games[number]
        if kind == "image/png":
            return answer.status, answer.data
        if kind == XLSX:
            with ZipFile(io.BytesIO(answer.data)) as packed:
                parts = {name: packed.read(name).decode() for name in packed.namelist()}
            return answer.status, {name: self._plain(text, game, []) for name, text in parts.items()}
        text = TRACKED.sub("an id", self._plain(answer.text, game, []))
        length = None if "a code" in text else answer.content_length  # the picture of an address is longer or shorter
        return answer.status, length, SIZES.sub(r"\1a few", text)

    def happened(self, steps: int) -> None:
        """Let so much happen, and then go on until something was not the same."""
        for step in range(10 * steps):
            if step >= steps and self.apart:
                break
            self.happen()
        self.snapshot()
        self.claim()
        self.api.catch_up()


def made(api: Api, name: str, viewpoint: Viewpoint, steps: int) -> Files:
    twins = Files(api, name, viewpoint, random.Random(f"files {name} {viewpoint}"))
    twins.happened(steps)
    one, other = ([event.recorded_at for event in twins.folds.read(game, 0, 2**53)] for game in twins.games)
    assert one == other, "a slow machine makes no difference"
    return twins


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(
        itertools.product(CARDS, VIEWPOINTS),
        *(("kahuna", VIEWPOINTS[0]), ("verraeter", VIEWPOINTS[1])),
        *(("manapani", VIEWPOINTS[2]), ("catan_cards", VIEWPOINTS[0])),
    ),
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.slow
def test_no_format_tells_what_somebody_may_not_know(api: Api, name: str, viewpoint: Viewpoint) -> None:
    """In the long run each of them asks at all visibilities, in the short run at one.

    Where several look, each asks for every other file in the short run, and for the rest with the next ruleset.
    """
    twins = made(api, name, viewpoint, 25)
    assert twins.apart
    guests = {who: twins.guest(who) for who in LOOKING[viewpoint]}
    for turn, visibility in enumerate(VISIBILITIES):
        for game in twins.games:
            api.show(game, visibility)
        for at, (who, guest) in enumerate(guests.items()):
            if not tiers.SOAK and (at + turn) % len(VISIBILITIES):
                continue
            shared = len(guests) > 1 and not tiers.SOAK
            paths = FILES[(at + [*CARDS].index(name)) % 2 :: 2] if shared else FILES
            one, other = twins.files(guest, 0, paths), twins.files(guest, 1, paths)
            for path in paths:
                assert one[path] == other[path], (visibility, who, path)


@pytest.mark.parametrize("name", soak_except(CARDS, "kahuna"))
@pytest.mark.slow
def test_the_same_files_are_told_apart_by_somebody_who_may_know_it(api: Api, name: str) -> None:
    twins = made(api, name, PUBLIC, 30)
    one, other = twins.files(api, 0), twins.files(api, 1)
    differing = {path for path in FILES if one[path] != other[path]}
    assert {f"/v1/exports/{file}?game={{game}}" for file in TELLING} <= differing


@pytest.mark.slow
def test_a_private_game_is_no_other_than_one_that_is_not_there(api: Api) -> None:
    twins = made(api, "kahuna", PUBLIC, 5)
    api.show(twins.games[0], "private")
    hidden, nowhere = twins.games[0], str(uuid7())
    for who in ("stranger", "app of a player"):
        guest = twins.guest("stranger") if who == "stranger" else api.let_in(games={twins.games[1]: 0})
        for path in FILES:
            refused, unknown = (guest.get(path.format(game=game)) for game in (hidden, nowhere))
            assert refused.status_code == unknown.status_code, (who, path)
            assert refused.text.replace(hidden, "") == unknown.text.replace(nowhere, ""), (who, path)
            assert refused.content_length == unknown.content_length, (who, path)
