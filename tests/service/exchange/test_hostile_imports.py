"""Records brought in by a stranger who means no good: what does not hold is named, and nothing of it is stored."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.event import now_ms, timestamp
from events.ndjson import parse_event
from events.verification import verify_export
from projections.replaying import prove_replay
from service.api.routes.transfers import NEW
from service.recording import transfers
from tests.proof import compact, hash_of, seal_of
from tests.service.conftest import Api
from tests.service.entries import entry, info, recorded_entry, send, state, timeline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from werkzeug.test import TestResponse

pytestmark = pytest.mark.service("file")

Lines = list[dict[str, Any]]

NDJSON = "application/x-ndjson"
DRAWN, NOTED = 5, 7
"""The line of the entry with a hidden card, and that of the note."""

WORD = "Xenoxylophonia"


@pytest.fixture
def game(api: Api) -> str:
    game = api.open(title="Sunday")
    assert api.record(game, "deal black BARI COCO DUDA", "b-d", "-", "+?gola", "-").status_code == 201
    recorded_entry(send(api, game, entry("note.added", text=WORD)))
    return game


@pytest.fixture
def stranger(elsewhere: Api) -> Api:
    """Somebody who may bring in records, and see nothing that they were not shown."""
    return elsewhere.let_in("owner", scopes=["imports:write"])


def export(api: Api, game: str, seat: str = "") -> bytes:
    answer = api.get(f"/v1/games/{game}/export{seat and f'?seat={seat}'}")
    assert answer.status_code == 200, answer.text
    return answer.data


def bring(api: Api, content: bytes, query: str = "") -> TestResponse:
    return api.request("POST", f"/v1/imports{query}", data=content, content_type=NDJSON)


def kind(answer: TestResponse) -> str:
    return str(answer.get_json()["type"]).removeprefix("/problems/")


def position(api: Api) -> int:
    """How many entries the log has."""
    return int(api.get("/v1/health").get_json()["position"])


def forged(content: bytes, change: Callable[[Lines], object]) -> bytes:
    """A file after a change, with every hash made anew, as an owner of the file can do. The header is line 0."""
    lines = [json.loads(line) for line in content.splitlines()]
    change(lines)
    prev = "0" * 64
    for line in lines[1:]:
        own = line.pop("hash")
        line["prev"] = prev if line["prev"] != "kept" else own
        line["hash"] = prev = hash_of(_ordered(line))
    lines[0]["head"] = prev
    return b"\n".join(compact(line) for line in [lines[0], *map(_ordered, lines[1:])])


def _ordered(line: dict[str, Any]) -> dict[str, Any]:
    """The members as an export has them, so that the hash is that of the line."""
    names = ("game", "version", "id", "type", "schema", "recorded_at", "happened_at", "recorder", "data", "sealed")
    order = [*names, "prev", "opened", "erased", "hash"]
    return {name: line[name] for name in sorted(line, key=order.index)}


def seal(line: dict[str, Any], name: str, content: dict[str, Any]) -> None:
    """Seal something else, so that every hash fits."""
    line["opened"][name] = {"salt": "ab" * 16, "content": content}
    line["sealed"][name] = seal_of(line["opened"][name])


# What is open in one file and not in another


@pytest.mark.parametrize(
    ("first", "second"), [("public", ""), ("", "public"), ("0", "1"), ("1", "public"), ("1", ""), ("public", "1")]
)
def test_exports_for_different_people_join_to_what_all_of_them_open(
    api: Api, elsewhere: Api, game: str, first: str, second: str
) -> None:
    for seat, new in ((first, "7"), (second, "0"), (first, "0")):
        answer = bring(elsewhere, export(api, game, seat))
        assert (answer.status_code, answer.headers.get(NEW)) == (201, new), answer.text
    for seat in {first, second}:
        asked = f"?seat={seat}" if seat else ""
        assert state(elsewhere, game, asked) == state(api, game, asked)
    elsewhere.catch_up()
    assert bring(elsewhere, export(api, game)).status_code == 201
    assert export(elsewhere, game).splitlines()[1:] == export(api, game).splitlines()[1:]


def test_what_was_recorded_since_comes_with_what_was_closed_before(api: Api, elsewhere: Api, game: str) -> None:
    bring(elsewhere, export(api, game, "public"))
    assert "GOLA" not in json.dumps(state(elsewhere, game)["hands"])
    api.record(game, "+?huna")
    assert bring(elsewhere, export(api, game)).headers[NEW] == "1"
    assert state(elsewhere, game) == state(api, game)


@pytest.mark.parametrize(("part", "entry_"), [("hidden", DRAWN), ("text", NOTED)])
@pytest.mark.parametrize("seat", ["", "1"])
def test_what_was_erased_stays_erased_in_either_order_of_files(
    api: Api, elsewhere: Api, game: str, part: str, entry_: int, seat: str
) -> None:
    before = export(api, game)
    assert api.post(f"/v1/games/{game}/erasures", {"entry": entry_, "what": part}).status_code == 200
    erased = export(api, game, seat)
    for content in (erased, before, erased):  # first
        assert bring(elsewhere, content).status_code == 201
        closed(elsewhere, game, part, entry_)
    other = export(api, game)
    assert bring(api, before).status_code == 201
    assert export(api, game).splitlines()[1:] == other.splitlines()[1:]


@pytest.mark.parametrize(("part", "entry_"), [("hidden", DRAWN), ("text", NOTED)])
def test_what_was_erased_elsewhere_is_erased_here_and_leaves_no_byte(
    api: Api, elsewhere: Api, game: str, part: str, entry_: int, tmp_path: Path
) -> None:
    bring(elsewhere, export(api, game))
    elsewhere.catch_up()
    body = api.post(f"/v1/games/{game}/erasures", {"entry": entry_, "what": part}).get_json()["erased"]
    answer = bring(elsewhere, export(api, game))
    assert (answer.status_code, answer.headers.get(NEW)) == (201, "1"), answer.text
    closed(elsewhere, game, part, entry_)
    assert timeline(elsewhere, game)[entry_ - 1]["erased"] == body
    if part == "text":
        files = [path for path in (tmp_path / "elsewhere").rglob("*") if path.is_file()]
        assert not [path for path in files if WORD.encode() in path.read_bytes()]


def closed(api: Api, game: str, part: str, entry_: int) -> None:
    told_ = timeline(api, game)[entry_ - 1]
    assert [each["what"] for each in told_["erased"]] == [part]
    assert (told_["text"] == "(sealed)") if part == "text" else (told_["notation"] == "+")
    assert (WORD if part == "text" else "GOLA").encode() not in export(api, game)


# What the sender may do to a game that is here


@pytest.mark.slow
def test_going_on_with_a_game_and_erasing_in_it_need_what_they_need_there(
    api: Api, elsewhere: Api, stranger: Api, game: str
) -> None:
    first = export(api, game)
    assert bring(elsewhere, first).status_code == 201
    assert bring(stranger, first).status_code == 201
    api.post(f"/v1/games/{game}/erasures", {"entry": NOTED, "what": "text"})
    answer = bring(stranger, export(api, game))
    assert (answer.status_code, kind(answer), answer.get_json()["scope"]) == (403, "scope-needed", "games:erase")
    assert WORD.encode() in export(elsewhere, game)
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=NOTED)))
    answer = bring(stranger, export(api, game))
    assert (answer.status_code, answer.get_json()["scope"]) == (403, "games:correct")
    assert info(elsewhere, game)["version"] == 7
    scopes = ["imports:write", "games:read", "games:record", "games:correct", "games:erase"]
    blind = elsewhere.let_in("owner", scopes=scopes)
    assert bring(blind, export(api, game)).get_json()["scope"] == "hidden:read"
    able = elsewhere.let_in("owner", scopes=[*scopes, "hidden:read"])
    assert bring(able, export(api, game)).status_code == 201


def test_names_come_back_only_by_who_may_name_people(elsewhere: Api, stranger: Api, api: Api) -> None:
    game = api.open(seats=[{"name": "Aiko"}, {}])
    content = api.get(f"/v1/games/{game}/export?names=true").data
    bring(elsewhere, content)
    player = info(elsewhere, game)["seats"][0]["player"]
    assert elsewhere.request("DELETE", f"/v1/players/{player}").status_code == 204
    answer = bring(stranger, content, "?erased=restore")
    assert (answer.status_code, answer.get_json().get("scope")) == (403, "people:write")
    assert info(elsewhere, game)["seats"][0]["name"] is None
    assert bring(stranger, content, "?erased=omit").status_code == 201
    able = elsewhere.let_in("owner", scopes=["imports:write", "people:write"])
    assert bring(able, content, "?erased=restore").status_code == 201
    assert info(elsewhere, game)["seats"][0]["name"] == "Aiko"


def test_who_may_not_know_of_a_game_is_not_told_how_far_it_went(
    api: Api, elsewhere: Api, stranger: Api, game: str
) -> None:
    bring(elsewhere, export(api, game))
    other = forged(export(api, game), lambda lines: lines[-1].update(id=str(uuid7())))
    answer = bring(stranger, other)
    assert (answer.status_code, kind(answer)) == (412, "stale-version")
    assert answer.get_json().keys() & {"head", "version", "missed"} == set()
    assert "ETag" not in answer.headers
    assert bring(elsewhere, other).get_json()["head"] == 7


def test_an_id_that_is_used_again_names_no_other_game(api: Api, game: str) -> None:
    taken = timeline(api, game)[4]["id"]
    other = api.play("b-d")
    reused = entry("note.added", text="x") | {"id": taken}
    for answer in (send(api, other, reused), api.post("/v1/games", {"id": taken, "ruleset": "kahuna"})):
        assert (answer.status_code, kind(answer)) == (409, "id-reused"), answer.text
        assert game not in answer.text
        assert "version" not in answer.text
    assert "version 5" in send(api, game, reused).get_json()["detail"]  # it is this game's own
    player = api.let_in(games={game: 0})
    assert "version" not in send(player, game, entry("move.made", move="-") | {"id": taken}).get_json()["detail"]


# What no log can hold


def _two_of_a_version(lines: Lines) -> None:
    lines.insert(4, lines[3] | {"id": str(uuid7())})


def _a_forked_tail(lines: Lines) -> None:
    lines.append(lines[-1] | {"id": str(uuid7())})


def _a_line_of_another_game(lines: Lines) -> None:
    lines[4]["game"] = str(uuid7())


def _a_number_too_many(lines: Lines) -> None:
    lines[-1]["version"] = 10**30


def _opened_and_erased(lines: Lines) -> None:
    lines[NOTED]["erased"] = {"text": {"by": "ann", "at": "2026-01-01T00:00:00.000Z"}}


def _erased_for_a_seat_alone(lines: Lines) -> None:
    del lines[DRAWN]["opened"]["seat-1"]
    lines[DRAWN]["erased"] = {"seat-1": {"by": "ann", "at": "2026-01-01T00:00:00.000Z"}}


def _erased(by: str, at: str = "2026-01-01T00:00:00.000Z", name: str = "text") -> Callable[[Lines], None]:
    def erase(lines: Lines) -> None:
        lines[NOTED].pop("opened")
        lines[NOTED]["erased"] = {name: {"by": by, "at": at}}

    return erase


def _seal(line: int, name: str, content: dict[str, Any]) -> Callable[[Lines], None]:
    return lambda lines: seal(lines[line], name, content)


def _swapped_seals(lines: Lines) -> None:
    one, other = lines[NOTED], lines[1]
    for member in ("sealed", "opened"):
        one[member], other[member] = other[member], one[member]


def _no_seal_of_a_hidden_card(lines: Lines) -> None:
    line = lines[DRAWN]
    line["data"] = line.pop("opened")["record"]["content"]
    del line["sealed"]


def _adopted(*revisions: tuple[int, int]) -> Callable[[Lines], None]:
    def adopt(lines: Lines) -> None:
        for before, after in revisions:
            last = {name: value for name, value in lines[-1].items() if name not in {"sealed", "opened"}}
            more = {"id": str(uuid7()), "version": len(lines), "type": "revision.adopted", "schema": 1}
            lines.append(last | more | {"data": {"from": before, "revision": after}})
        lines[0]["events"] = len(lines) - 1

    return adopt


def _before_the_one_before(lines: Lines) -> None:
    lines[-1]["recorded_at"] = "2020-01-01T00:00:00.000Z"


def _header(**members: Any) -> Callable[[Lines], None]:
    return lambda lines: lines[0].update(members)


OTHER = {"move": {"type": "draw", "seat": 1, "card": "BARI"}}
LINE_ALONE: dict[str, Callable[[Lines], object]] = {
    "a record's seal that says another seat's move": _seal(DRAWN, "record", {"move": {"type": "decline", "seat": 1}}),
    "a record's seal that says another card than the seat's": _seal(DRAWN, "record", OTHER),
    "a seat's seal that says another card than the record's": _seal(DRAWN, "seat-1", OTHER),
    "a text's seal that holds a move": _seal(NOTED, "text", {"text": "x", "move": {"type": "decline", "seat": 0}}),
    "a hidden card that is not sealed": _no_seal_of_a_hidden_card,
    "two entries of one version": _two_of_a_version,
    "a forked tail": _a_forked_tail,
    "a line of another game": _a_line_of_another_game,
    "a version beyond all numbers": _a_number_too_many,
    "a header that counts fewer": _header(events=3),
    "a header that counts none": _header(events=0),
    "a header that counts less than none": _header(events=-1),
    "a header that counts more": _header(events=8),
    "a header that counts beyond all numbers": _header(events=10**30),
    "something erased that is open": _opened_and_erased,
    "something erased for a seat, and open in the record": _erased_for_a_seat_alone,
    "something erased by nobody": _erased(""),
    "something erased by control characters": _erased("\x1b[2J"),
    "something erased by a very long name": _erased("x" * 201),
    "something erased at no time": _erased("ann", "yesterday"),
    "an erased seal that is not there": _erased("ann", name="seat-0"),
    "an erased text within what is closed": _erased("ann", name="record.text"),
    "the seals of two entries swapped": _swapped_seals,
    "rules that do not go up": _adopted((1, 1)),
    "rules that go back": _adopted((1, 9), (1, 2)),
}


@pytest.mark.parametrize("change", LINE_ALONE.values(), ids=LINE_ALONE)
@pytest.mark.slow
def test_what_no_log_can_hold_is_named_and_nothing_of_it_stored(
    api: Api, elsewhere: Api, game: str, change: Callable[[Lines], object]
) -> None:
    content, before = forged(export(api, game), change), position(elsewhere)
    answer = bring(elsewhere, content)
    assert (answer.status_code, kind(answer)) == (400, "bad-import"), answer.text
    assert elsewhere.get(f"/v1/games/{game}").status_code == 404
    assert position(elsewhere) == before


def test_a_forgery_that_changes_nothing_is_taken_so_that_the_others_fail_by_what_they_change(
    api: Api, elsewhere: Api, game: str
) -> None:
    assert bring(elsewhere, forged(export(api, game), lambda _: None)).status_code == 201


@pytest.mark.parametrize(("hours", "line"), [(23, None), (25, 7)])
def test_a_time_of_more_than_a_day_after_the_clock_here_is_refused(
    api: Api, elsewhere: Api, game: str, hours: int, line: int | None
) -> None:
    """Later entries of the game would get that time, too. The first line of several is named."""
    late = timestamp(now_ms() + hours * 3_600_000)

    def postdate(lines: Lines) -> None:
        for each in lines[6:]:
            each["recorded_at"] = late

    content = forged(export(api, game), postdate)
    problems = verify_export(content.splitlines()).problems
    assert [(each.kind, each.line) for each in problems] == ([("postdated", line)] if line else [])
    before = position(elsewhere)
    answer = bring(elsewhere, content).get_json()
    assert answer.get("line") == line
    if line:
        why = f"its time {late} is more than a day after the clock here"
        assert answer["detail"] == f"line {line}: postdated: {why}"
        assert position(elsewhere) == before


@pytest.mark.parametrize("name", [name for name in LINE_ALONE if "says another" in name or "erased" in name])
def test_verifying_the_file_names_the_same_line_as_bringing_it_in(
    api: Api, elsewhere: Api, game: str, name: str
) -> None:
    content = forged(export(api, game), LINE_ALONE[name])
    report = verify_export(io.BytesIO(content))
    found = report.problems or tuple(prove_replay([parse_event(line) for line in content.splitlines()[1:]], 2).problems)
    assert found
    assert bring(elsewhere, content).get_json()["line"] == found[0].line


def test_a_file_that_opens_what_a_public_line_belies_is_refused_when_it_comes(
    api: Api, elsewhere: Api, game: str
) -> None:
    """A reader of the public export alone could not see it. The whole export, which comes later, shows who lied."""
    lying = forged(export(api, game), LINE_ALONE["a record's seal that says another card than the seat's"])

    def public(lines: Lines) -> None:
        del lines[DRAWN]["opened"]

    assert bring(elsewhere, forged(lying, public)).status_code == 201
    answer = bring(elsewhere, lying)
    assert (answer.status_code, answer.get_json()["line"]) == (400, DRAWN + 1)
    assert "GOLA" not in json.dumps(state(elsewhere, game)["hands"])


def test_openings_of_the_same_entry_of_two_games_are_not_those_of_each_other(api: Api, elsewhere: Api) -> None:
    one, other = (api.play("-", "+?gola", "-") for _ in range(2))
    lines = [json.loads(line) for line in export(api, one).splitlines()]
    lines[4]["opened"] = json.loads(export(api, other).splitlines()[4])["opened"]
    answer = bring(elsewhere, b"\n".join(map(compact, lines)))
    assert (answer.status_code, answer.get_json()["line"]) == (400, 5)


# Long files, and many at once


@pytest.mark.parametrize("why", ["taken", "earlier", "lost"])
def test_nothing_of_a_long_file_is_stored_if_its_end_does_not_fit(
    api: Api, elsewhere: Api, game: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "CHUNK", 3)
    taken = elsewhere.open()

    def spoil(lines: Lines) -> None:
        if why == "taken":
            lines[-1]["id"] = taken
        elif why == "earlier":
            lines[NOTED]["recorded_at"] = "2020-01-01T00:00:00.000Z"  # the first of its commit
        else:
            lines[-1]["id"] = lines[2]["id"]

    answer = bring(elsewhere, forged(export(api, game), spoil))
    assert answer.status_code in {400, 409}, answer.text
    assert elsewhere.get(f"/v1/games/{game}").status_code == 404
    assert bring(elsewhere, export(api, game)).headers[NEW] == "7"


def test_the_same_file_from_twenty_clients_at_once_is_stored_once(
    api: Api, elsewhere: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "CHUNK", 3)
    files = [export(api, game), export(api, game, "public")] * 10
    guests = [Api(elsewhere.app) for _ in files]
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(bring, guests, files))
    assert {answer.status_code for answer in answers} <= {201, 503}, [
        answer.text for answer in answers
    ]  # 503: too many
    assert sum(int(answer.headers.get(NEW, 0)) for answer in answers) == 7
    assert export(elsewhere, game).splitlines()[1:] == export(api, game).splitlines()[1:]
