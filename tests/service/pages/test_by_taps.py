"""Recorded games are entered anew by taps alone: on the board, on what is offered, and no key is ever pressed."""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from games import transcript
from games.contract import GAP
from tests import goldens, tiers
from tests.games.test_picking import changed
from tests.service.pages.steps import Finger, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator, Page

    from games.contract import Blank, Move
    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
AIMS = {"kahuna": 2.2, "verraeter": 2.5, "manapani": 2.2, "catan_cards": 2.3}
"""How many taps an entry takes at the most, on average, where each is confirmed."""
MOST = 8
"""Taps that an entry takes at the most, unless it is a layout."""
LAYOUTS = {"kahuna": {"deal", "row"}, "verraeter": {"lands"}, "manapani": {"deal"}, "catan_cards": {"lay"}}
"""What lays out many pieces at once, as the table does before play."""
PARTS = {
    "kahuna": (("points", 0), ("seafarer_points", 30)),
    "verraeter": (("four_players", 0), ("three_players", 20)),
    "manapani": (("two_players", 0), ("three_players", 60), ("fight_with_bandit_gremlin_and_snow_giant", 150)),
    "catan_cards": (("buildings", 0), ("later_knights", 59)),
}
"""Of each ruleset parts of two games or three: the name, and how many entries are there before."""
TWO_DICE = {"manapani", "catan_cards"}
"""Rulesets with a roll of two dice in the last part. It takes a tap for each."""
LENGTH = 3
"""Entries of a part. A short run enters the last part, `make soak` all of them, and whole games.

`moves.test.mjs` reaches every legal move by what is offered. `test_by_keys` and `test_tap_page` begin games.
"""


CHOICES = "all => all.map(one => [one.value, !one.matches('.more')])"


class Way(NamedTuple):
    """How a move is put together: the line to be picked, and the words that are tapped into its blanks."""

    notation: str
    values: tuple[str | None, ...]


def read_into(outline: str, blanks: tuple[Blank, ...], text: str) -> tuple[str | None, ...] | None:
    """The values of an outline's blanks that make it this text; None if it never says this."""
    pattern = re.escape(outline)
    for blank in blanks:
        words = "|".join(map(re.escape, sorted(blank.choices, key=len, reverse=True)))
        gap = re.escape(GAP)
        pattern = re.sub(
            rf"(?:\\ )?{re.escape(gap)}", lambda found, w=words, b=blank: _gap(found, w, b), pattern, count=1
        )
    found = re.fullmatch(pattern, text)
    return tuple(found.groups()) if found else None


def spelled_out(outline: str, text: str) -> Iterator[str]:
    """A text, and the same without the hands behind it that were not seen."""
    result, hands = text, outline.split(" / ")
    yield result
    for hand in hands[text.count(" / ") + 1 :]:
        result += " / " + hand.replace(GAP, "?")
    yield result


def _gap(found: re.Match[str], words: str, blank: Blank) -> str:
    space = r"\ " if found[0].startswith("\\ ") else ""
    return f"(?:{space}({words}))?" if blank.optional else rf"{space}(?:({words})|\?)"


def way_to(state: Any, move: Move) -> Way | None:
    """The line to pick for a move, that which leaves least to be filled in; None where it is not offered."""
    return min(ways_to(state, move), key=lambda way: sum(map(bool, way.values)), default=None)


def ways_to(state: Any, move: Move) -> Iterator[Way]:
    """The lines that become a move, each with what is to be filled in."""
    text = state.notation(move)
    alike = [listed for listed in state.legal_moves() if type(listed) is type(move)]
    for listed in alike:
        blanks = state.blanks(listed)
        if state.notation(listed) == text:
            yield Way(text, (None,) * len(blanks))
        for said in spelled_out(state.notation_template(listed), text) if blanks else ():
            if (values := read_into(state.notation_template(listed), blanks, said)) and any(values):
                yield Way(state.notation(listed), values)
    for listed in type(move).off_turn_moves(state):
        outline = state.notation_template(listed)
        if values := read_into(outline, state.blanks(listed), text):
            yield Way(outline.replace(GAP, "?"), values)


class Thumb:
    """Somebody who taps on a game's page, and counts."""

    def __init__(self, page: Page, *, confirms: bool) -> None:
        self.page = page
        self.confirms = confirms
        self.taps = 0
        self._finger = Finger(page)

    def tap(self, target: Locator) -> None:
        self._finger.tap(target)
        self.taps += 1

    def on_board(self, place: str) -> bool:
        """Tap a place of the board, if it is there."""
        found = self.page.locator(f"#board {place}")
        if not found.count():
            return False
        box = found.first.bounding_box()
        assert box
        self._finger.tap_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.taps += 1
        return True

    def pick(self, notation: str) -> None:
        """Pick a line out of those that are offered, by its beginnings if there are too many."""
        for _ in range(5):
            choices = self.page.eval_on_selector_all(".choice", CHOICES)
            fitting = [
                (whole, len(text), at)
                for at, (text, whole) in enumerate(choices)
                if (notation == text if whole else notation.startswith(text))
            ]
            assert fitting, f"nothing leads to {notation}: {choices}"
            whole, _, best = max(fitting)
            self.tap(self.page.locator(".choice").nth(best))
            if whole:
                return

    def fill(self, notation: str, values: tuple[str | None, ...]) -> None:
        sheet = self.page.locator(f".blanks details[data-move='{notation}']")
        if not sheet.evaluate("it => it.open"):
            self.tap(sheet.locator("summary"))
        for at, value in enumerate(values):
            if value is None or sheet.locator(".field").nth(at).evaluate("field => field.value") == value:
                continue  # the last piece that is left goes there by itself
            blank = sheet.locator(".blank").nth(at)
            opener = blank.locator(".open")
            if opener.count() and opener.is_visible():
                self.tap(opener)
            self.tap(blank.locator(".keys button").get_by_text(value, exact=True))


def board_place(move: Move) -> str | None:
    """The piece on the board that somebody would tap for a move."""
    data = {name: getattr(move, name) for name in move.__struct_fields__}
    tag = str(move.__struct_config__.tag)
    if tag == "take" and data.get("card"):
        return f"[data-means='type=take card={data['card']}']"
    if tag == "draw" and "discards" not in data and "stack" not in data:
        return "[data-means='type=draw']"
    if tag in {"build", "remove"} and "line" in data:
        return f"line[data-at='{data['line']}']"
    return None


def is_once(state: Any, move: Move) -> bool:
    """Whether the key of a move records it: it says all of the move, leaves nothing open, and ends no game."""
    listed = [one for one in state.legal_moves() if one == move]
    if not listed or state.blanks(listed[0]) or not state.ruleset.move_data(move).keys() <= {"type", "seat"}:
        return False
    after = state.copy()
    after.apply(move)
    return after.outcome() is None


def enter(thumb: Thumb, move: Move, way: Way, *, once: bool) -> None:
    """Put a move together and record it: what is ready is confirmed, and its last fact or die confirms, too.

    With `once`, the key that says all of it confirms it as well.
    """
    page = thumb.page
    record = page.locator("#recorder .record")
    way = as_pair(page, way)
    ready = thumb.confirms and field(page).input_value() == way.notation
    if not ready:
        put_together(thumb, move, way)
        if once:
            return
    elif any(way.values):
        thumb.fill(way.notation, way.values)
    result = all(way.values)
    unseen = "?" in way.notation.split() and not way.notation.startswith("roll ")
    if thumb.confirms and (not result or not way.values or unseen):
        expect(page.locator("#preview[aria-busy=false] .dry-run")).to_be_visible()
        thumb.tap(record)
    elif not result:  # what was left open is said by recording it so
        thumb.tap(record)


def as_pair(page: Page, way: Way) -> Way:
    """A roll of two dice in the form with keys for both, if the page has one."""
    kind, *dice = way.notation.split(" ")
    paired = kind == "roll" and not way.values and page.locator(".blanks .pair").count()
    return Way("roll ? ?", tuple(dice)) if paired else way


def put_together(thumb: Thumb, move: Move, way: Way) -> None:
    """Tap what a move is made of: of one that says nothing but backs, nothing is filled in."""
    page = thumb.page
    place = board_place(move)
    asked = page.locator(f".blanks details[data-move='{way.notation}']")
    if any(way.values) and asked.count():
        thumb.fill(way.notation, way.values)
        return
    if place is None or not thumb.on_board(place) or field(page).input_value() != way.notation:
        thumb.pick(way.notation)  # where the piece may mean other moves, too, one of these
    if any(way.values):
        thumb.fill(way.notation, way.values)


def played(ruleset: str, name: str) -> Iterator[tuple[Any, Any, int]]:
    """The steps of a recorded game with the state before each, and how many entries of it were there."""
    rules = goldens.SHIPPED[ruleset]
    game = goldens.games(rules)[name]
    opening = transcript.opening(rules, game)
    before = rules.open(opening.options, opening.components, opening.seats)
    for at, step in enumerate(transcript.replay(rules, game)):
        yield before, step, at
        before = step.state.copy()


def is_tapped(before: Any, step: Any) -> bool:
    """Whether an entry can be tapped. Rulings and broken rules have reasons, and these are typed. A hand that is noted
    although all of it is known says nothing new, and is not offered.
    """
    return bool(step.move and not step.broken and changed(before, step.state))


def tapped(
    page_of: Callable[..., Page],
    service: Service,
    ruleset: str,
    name: str,
    first: int,
    length: int,
    *,
    confirms: bool = True,
    hand: type[Thumb] = Thumb,
) -> Counter:
    """Enter so many entries of a game, those that are to be tapped; the taps by kind, and how often so many."""
    game = service.import_text(goldens.cut(ruleset, name, first))
    page = page_of(game, confirms=confirms)
    counted: Counter[tuple[str, int]] = Counter()
    version = len(service.entries(game))
    for before, step, at in played(ruleset, name):
        if not first <= at < first + length:
            continue
        if not is_tapped(before, step):
            game = service.import_text(goldens.cut(ruleset, name, at + 1))
            page, version = page_of(game, confirms=confirms), len(service.entries(game))
            continue
        thumb = hand(page, confirms=confirms)
        with naming(f"{name}, entry {at}: {step.entry.text}"):
            put_into_record(thumb, before, step.move, version)
            version += 1
            (entry,) = service.entries(game, after=version - 1)
            assert entry["notation"] == before.notation(step.move)
        counted[str(step.move.__struct_config__.tag), thumb.taps] += 1
    return counted


def put_into_record(thumb: Thumb, before: Any, move: Move, version: int) -> None:
    """Enter a move after the entry `version`, as soon as that stands and what can come next is offered."""
    way = way_to(before, move)
    assert way, "is not offered"
    page = thumb.page
    page.locator(f"#recorder[data-offered='{version}']").wait_for(state="attached")
    page.locator(f"#board[data-shown='{version}']").wait_for()
    expect(page.locator("#recorder .record")).not_to_have_text("Recording …")
    enter(thumb, move, way, once=is_once(before, move))
    after = version + 1
    page.locator(f"#stepper output:text-matches('^{after} / {after}$')").wait_for(state="attached")


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Let a failure name the entry: a game has hundreds of entries."""
    try:
        yield
    except Exception as error:
        error.add_note(what)
        raise


@pytest.fixture
def page_of(visit: Callable[..., Page]) -> Callable[..., Page]:
    """The page of a game on a phone of somebody who confirms each move, or does not."""

    def open_page(game: str, *, confirms: bool) -> Page:
        page = visit(f"/games/{game}", viewport=PHONE, motion=True)
        page.locator("#recorder[data-offered]").wait_for(state="attached")
        if confirms:
            return page
        page.get_by_role("button", name="More …", exact=True).tap()
        switch = page.locator("dialog.sheet").get_by_role("button", name="Confirm each move")
        expect(switch).to_be_visible()
        switch.tap()
        expect(page.locator("dialog.sheet")).to_be_hidden()
        return page

    return open_page


def mean(counted: Counter[tuple[str, int]]) -> float:
    return sum(taps * count for (_, taps), count in counted.items()) / counted.total()


def told(ruleset: str, counted: Counter[tuple[str, int]]) -> float:
    for kind in sorted({kind for kind, _ in counted}):
        own = Counter({(kind, taps): count for (of, taps), count in sorted(counted.items()) if of == kind})
        print(f"{ruleset} {kind}: {mean(own):.2f} taps, { {taps: count for (_, taps), count in own.items()} }")  # noqa: T201  what the measurement is for
    print(f"{ruleset}: {mean(counted):.2f} taps an entry, {counted.total()} entries")  # noqa: T201
    return mean(counted)


def without_layouts(ruleset: str, counted: Counter[tuple[str, int]]) -> Counter[tuple[str, int]]:
    return Counter({one: count for one, count in counted.items() if one[0] not in LAYOUTS[ruleset]})


@pytest.mark.parametrize("ruleset_name", PARTS)
def test_games_are_entered_by_taps_alone(page_of, service: Service, ruleset_name: str) -> None:
    counted: Counter[tuple[str, int]] = Counter()
    parts = PARTS[ruleset_name] if tiers.SOAK else PARTS[ruleset_name][-1:]
    for name, first in parts:
        counted += tapped(page_of, service, ruleset_name, name, first, LENGTH)
    assert counted.total() == len(parts) * LENGTH
    told(ruleset_name, counted)
    rest = without_layouts(ruleset_name, counted)  # parts have more of their few entries than whole games
    assert mean(rest) <= AIMS[ruleset_name]
    assert all(taps <= MOST for _, taps in rest)
    if ruleset_name in TWO_DICE:
        assert counted["roll", 2], "its last die records it, where else each move is confirmed"
    if ruleset_name == "catan_cards":
        _of_lists_only_what_is_said_is_tapped(page_of, service)


@pytest.mark.soak
def test_an_island_that_many_ships_name_leads_on_to_those_that_begin_with_it(page_of, service: Service) -> None:
    assert tapped(page_of, service, "kahuna", "seafarer_last_bridge", 4, 1).total() == 1


def _of_lists_only_what_is_said_is_tapped(page_of, service: Service) -> None:
    """A trade between the two has four lists. Each may be longer."""
    name = "one_hand_noted"
    first = next(at for _, step, at in played("catan_cards", name) if step.entry.text.startswith("barter"))
    counted = tapped(page_of, service, "catan_cards", name, first, 1)
    assert list(counted) == [("barter", 6)], "the line, four places, and Record"


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not os.environ.get("KIFU_SOAK"), reason="takes minutes: make soak")
@pytest.mark.parametrize("ruleset_name", PARTS)
def test_all_recorded_games_are_entered_by_taps_alone(page_of, service: Service, ruleset_name: str) -> None:
    counted: Counter[tuple[str, int]] = Counter()
    games = goldens.games(goldens.SHIPPED[ruleset_name])
    for name in games:
        counted += tapped(page_of, service, ruleset_name, name, 0, 1000)
    assert told(ruleset_name, counted) <= AIMS[ruleset_name]
    assert all(taps <= MOST for _, taps in without_layouts(ruleset_name, counted))
