from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from uuid_utils import uuid7

from events.canonical import canonical, digest, exported
from events.event import NewEvent
from events.folding import normalized
from events.ndjson import parse_event
from events.people import BadNameError, checked_name, is_visible
from service.api.routes.transfers import NEW
from service.app import create_app
from service.recording import transfers
from service.recording.recorder import CHUNK
from service.settings import Settings
from tests.cases import cases
from tests.choosing import examples
from tests.proof import prove
from tests.service.entries import entry, send

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

GOLDENS = Path(__file__).parents[2] / "golden" / "kahuna"
NDJSON = "application/x-ndjson"


def export(api: Api, game: str, query: str = "") -> bytes:
    answer = api.get(f"/v1/games/{game}/export{query}")
    assert answer.status_code == 200, answer.text
    return answer.data


def bring(api: Api, content: bytes | str, media_type: str = NDJSON, query: str = "") -> TestResponse:
    return api.request("POST", f"/v1/imports{query}", data=content, content_type=media_type)


def stored(api: Api) -> tuple[Any, int]:
    """The list of games, and the number of entries."""
    api.catch_up()
    return api.get("/v1/games").get_json(), api.get("/v1/health").get_json()["position"]


def test_an_exported_record_is_proved_with_sha256_alone(api: Api) -> None:
    game = api.play("b-d", "+c/e", "-")
    header, *lines = export(api, game).splitlines()
    prove(lines)
    assert json.loads(header)["head"] == json.loads(lines[-1])["hash"]
    assert json.loads(header)["events"] == len(lines) == 5


def test_a_record_comes_in_elsewhere_as_it_went_out(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d", "+c/e", "-")
    api.post(
        f"/v1/games/{game}/events", {"events": [{"id": str(uuid7()), "type": "note.added", "data": {"text": "完"}}]}
    )
    content = export(api, game)
    answer = bring(elsewhere, content)
    assert (answer.status_code, answer.get_json()) == (201, {"game": game, "version": 6})
    assert export(elsewhere, game).splitlines()[1:] == content.splitlines()[1:]
    assert elsewhere.get(f"/v1/games/{game}/state").get_json() == api.get(f"/v1/games/{game}/state").get_json()


def test_an_import_is_safe_to_repeat_and_goes_on_where_a_record_went_on(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d")
    answer = bring(elsewhere, export(api, game))
    again = bring(elsewhere, export(api, game))
    assert (again.status_code, again.data, again.headers[NEW]) == (201, answer.data, "0")
    api.record(game, "-", "+")
    later = bring(elsewhere, export(api, game))
    assert (later.status_code, later.headers[NEW]) == (201, "2")


def test_a_record_that_went_another_way_here_is_refused(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d")
    bring(elsewhere, export(api, game))
    api.record(game, "-")
    elsewhere.record(game, "+")
    answer = bring(elsewhere, export(api, game))
    assert (answer.status_code, answer.get_json()["type"]) == (412, "/problems/stale-version")
    assert answer.get_json()["detail"] == (
        f"game {game} differs: from entry 4 on, the file has other entries than this service"
    )
    assert elsewhere.get(f"/v1/games/{game}").get_json()["version"] == 4


BOM = b"\xef\xbb\xbf"
BYTES = "application/octet-stream"


@pytest.mark.parametrize("media", [NDJSON, BYTES])
def test_a_file_with_a_byte_order_mark_is_read(api: Api, elsewhere: Api, media: str) -> None:
    game = api.play("b-d")
    answer = bring(elsewhere, BOM + export(api, game), media)
    assert (answer.status_code, answer.get_json()) == (201, {"game": game, "version": 3})
    text = BOM + b'[Ruleset "kahuna"]\n\ndeal black\n'
    assert bring(elsewhere, text, BYTES).status_code == 201


def test_a_file_of_several_games_is_taken_in(api: Api, elsewhere: Api) -> None:
    games = [api.play("b-d"), api.play("b-d", "-"), api.play()]
    bring(elsewhere, export(api, games[1]))
    content = b"\n".join(export(api, game) for game in games)
    answer = bring(elsewhere, content)
    versions = [{"game": game, "version": version} for game, version in zip(games, (3, 4, 2), strict=True)]
    assert (answer.status_code, answer.get_json()) == (201, {**versions[0], "games": versions})
    assert (answer.headers[NEW], answer.headers["Location"], "ETag" in answer.headers) == (
        "3, 0, 2",
        "/v1/games",
        False,
    )
    for game in games:
        assert export(elsewhere, game).splitlines()[1:] == export(api, game).splitlines()[1:]
    again = bring(elsewhere, content)
    assert (again.data, again.headers[NEW]) == (answer.data, "0, 0, 0")


def test_nothing_of_several_games_is_stored_if_one_does_not_hold(api: Api, elsewhere: Api) -> None:
    first, second = (export(api, api.play("b-d")) for _ in range(2))
    third = api.play("b-d")
    shared = export(api, third)
    bring(elsewhere, shared)
    api.record(third, "-")
    elsewhere.record(third, "+")
    position = elsewhere.get("/v1/health").get_json()["position"]
    edited = second.replace(b'"seat":0', b'"seat":1', 1)
    for content, status, line in (
        (first + edited, 400, 8),
        (first + second.splitlines(keepends=True)[0], 400, None),
        (first + first, 400, 5),
        (first + export(api, third), 412, None),
    ):
        answer = bring(elsewhere, content)
        assert answer.status_code == status, answer.text
        assert line is None or answer.get_json()["line"] == line
        assert elsewhere.get("/v1/health").get_json()["position"] == position
    assert bring(elsewhere, first + second + shared).status_code == 201


def test_names_travel_only_if_they_are_asked_for(api: Api, elsewhere: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    assert b"Anna" not in export(api, game)
    bring(elsewhere, export(api, game, "?names=true"))
    assert [seat["name"] for seat in elsewhere.get(f"/v1/games/{game}").get_json()["seats"]] == ["Anna", "Ben"]


@pytest.mark.parametrize("query", ["?names=true", "?names=true&seat=public"])
def test_the_name_of_a_referee_travels_also_after_the_ruling_was_revoked(api: Api, elsewhere: Api, query: str) -> None:
    game = api.play("b-d")
    ruling = entry("ruling.given", reason="slow play", referee_name="Dora")
    assert send(api, game, ruling, entry("ruling.revoked", ruling=4)).status_code == 201
    assert bring(elsewhere, export(api, game, query)).status_code == 201
    here, there = (each.get(f"/v1/games/{game}/timeline").get_json()["people"] for each in (api, elsewhere))
    assert here == there
    assert [*there.values()] == ["Dora"]
    assert b"Dora" not in export(api, game)


def test_a_file_with_a_name_that_is_none_is_refused_whole(api: Api, elsewhere: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {}])
    content, before = export(api, game, "?names=true"), stored(elsewhere)
    for old, new in ((b'"Anna"', b'"A\\u0007"'), (b'"players":{"', b'"players":{"x')):
        assert old in content
        answer = bring(elsewhere, content.replace(old, new))
        assert (answer.status_code, answer.get_json().get("line")) == (400, 1), answer.text
        assert stored(elsewhere) == before


def test_comments_of_a_written_game_become_notes(api: Api) -> None:
    text = '[Ruleset "kahuna"]\n\n; at the lake\ndeal black\n; it rains\n'
    answer = bring(api, text, "text/plain", f"?id={uuid7()}")
    game = answer.get_json()["game"]
    entries = api.get(f"/v1/games/{game}/timeline").get_json()["entries"]
    assert [(entry["type"], entry.get("text")) for entry in entries[1:]] == [
        ("note.added", "at the lake"),
        ("move.made", None),
        ("note.added", "it rains"),
    ]


_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30).filter(
    lambda line: not line or is_visible(line)
)
_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\r\n"), min_size=1, max_size=60)
_NOTE = _TEXT | st.sampled_from(
    [
        "breaks kahuna:SET-2",
        "breaks catan_cards:Q21b",
        "two\nlines",
        "  led by blanks",
        "bookmark: x",
        '"so"',
        "; ! * [",
    ]
)


def _is_kept(name: str) -> bool:
    """Whether a name is kept as it is, and neither is nor looks like another one: examples share their people."""
    with suppress(BadNameError):
        return checked_name(name) == normalized(name) == name and not re.search("[\u0370-\u058f]", name)
    return False


_NAME = _LINE.map(str.strip).filter(_is_kept)


@examples(10, suppress_health_check=list(HealthCheck))
@given(
    title=_LINE,
    place=_LINE,
    names=st.lists(_NAME, min_size=2, max_size=2, unique=True),
    reasons=st.tuples(_NOTE.filter(str.strip), _NOTE.filter(str.strip)),
    notes=st.lists(st.tuples(_NOTE, st.booleans(), st.sampled_from([None, 1, 2, 3, 4])), max_size=4),
    happened_at=st.sampled_from([None, "1999-12-31T23:30:00-05:00"]),
)
@pytest.mark.slow
def test_every_note_comes_through_the_text_as_it_is(
    api: Api, elsewhere: Api, title: str, place: str, names: Any, reasons: Any, notes: Any, happened_at: str | None
) -> None:
    seats = [{"name": name} for name in names]
    more = {} if happened_at is None else {"happened_at": happened_at}
    game = api.open(title=title, place=place, seats=seats, **more)
    api.record(game, "deal black BARI COCO DUDA")
    against = {"move": "white: ALOA-BARI", "override": {"reason": reasons[0]}}
    ruling = entry("ruling.given", adjustments=[], reason=reasons[1])
    remarks = [
        entry("note.added", text=text, bookmark=bookmark, **({"entry": about} if about else {}))
        for text, bookmark, about in notes
    ]
    body = {"events": [entry("move.made", **against), ruling, *remarks]}
    answer = api.post(f"/v1/games/{game}/events", body)
    assert answer.status_code == 201, answer.text
    text = export(api, game, "?format=text&names=true")
    taken = bring(elsewhere, text, "text/plain", f"?id={uuid7()}")
    assert taken.status_code == 201, taken.text
    copy = taken.get_json()["game"]
    assert export(elsewhere, copy, "?format=text&names=true") == text
    assert sorted(_noted(elsewhere, copy)) == sorted(_noted(api, game))
    for there, it in ((api, game), (elsewhere, copy)):
        info = there.get(f"/v1/games/{it}").get_json()
        assert [info["title"], info["place"], *(seat["name"] for seat in info["seats"])] == [title, place, *names]
        found = there.get(f"/v1/games/{it}/timeline").get_json()["entries"]
        assert [each["override"] for each in found if each.get("override")] == [reasons[0]]
        assert [each["text"] for each in found if each["type"] == "ruling.given"] == [reasons[1]]


def _noted(api: Api, game: str) -> list[tuple[str, bool]]:
    entries = api.get(f"/v1/games/{game}/timeline").get_json()["entries"]
    return [(each["text"], each.get("bookmark", False)) for each in entries if each["type"] == "note.added"]


def edit(content: bytes, line: int, old: bytes, new: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return b"".join(lines)


def test_a_file_that_was_tampered_with_is_refused_with_its_line(api: Api, elsewhere: Api) -> None:
    content = export(api, api.play("b-d", "+c/e", "-"))
    lines, before = content.splitlines(keepends=True), stored(elsewhere)
    for tampered, line in (
        (edit(content, 4, b"BARI", b"COCO"), 4),
        (b"".join(lines[:3] + lines[4:]), None),
        (b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]), None),
        (b"".join(lines[:-1]), None),
        (b"".join(lines[:4]) + lines[4][:20], None),
        (b"", 1),
        (b"\x00\xff\x00", 1),
        (lines[0], None),
        (content + lines[-1], None),
    ):
        answer = bring(elsewhere, tampered)
        assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/bad-import"), answer.text
        assert line in {None, answer.get_json().get("line")}, answer.text
        assert stored(elsewhere) == before


def test_a_file_that_no_rules_can_replay_is_refused(api: Api, elsewhere: Api) -> None:
    """Its chain is sound, so somebody recorded it; but no table can have seen it."""
    game = api.play("b-d")
    log = elsewhere.app.context.archive.log
    source = api.app.context.archive.log
    source.append(  # the service itself would not let this through
        game,
        [NewEvent(id=str(uuid7()), type="move.made", data={"move": {"type": "deal", "starts": 0}})],
        expected=3,
        recorder="owner",
    )
    answer = bring(elsewhere, export_raw(source, game))
    assert answer.get_json()["type"] == "/problems/bad-import"
    assert "dealt already" in answer.get_json()["detail"]
    assert log.head(game) is None


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("entry.withdrawn", {"entry": 4}),
        ("entry.inserted", {"after": 9, "move": {"type": "decline", "seat": 0}}),
        ("entry.replaced", {"entry": 3, "move": {"type": "decline", "seat": 0}, "withdraw": [5]}),
        ("ruling.revoked", {"ruling": 2**53}),
    ],
)
def test_a_correction_of_what_was_not_recorded_yet_is_refused(
    api: Api, elsewhere: Api, kind: str, data: dict[str, Any]
) -> None:
    """Two insertions, each after the other, would be nowhere."""
    game = api.play("b-d")
    source = api.app.context.archive.log
    source.append(game, [NewEvent(id=str(uuid7()), type=kind, data=data)], expected=3, recorder="owner")
    answer = bring(elsewhere, export_raw(source, game))
    assert answer.get_json()["type"] == "/problems/bad-import"
    assert "which is not before it" in answer.get_json()["detail"]


@pytest.mark.service("test")
def test_a_corrected_record_travels_with_its_corrections_and_all_who_sat(api: Api, elsewhere: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    api.record(game, "deal black BARI COCO DUDA", "b-d", "-")
    corrections = [
        entry("entry.replaced", entry=3, move="b-c"),
        entry("entry.inserted", after=2, move="c-g"),
        entry("ruling.given", reason="slow play", adjustments=["points seat=white points=-1"]),
        entry("seat.changed", seat=1, name="Chiyo"),
    ]
    assert api.post(f"/v1/games/{game}/events", {"events": corrections}).status_code == 201
    assert bring(elsewhere, export(api, game, "?names=true")).status_code == 201
    for path in ("state", "timeline", "score"):
        assert elsewhere.get(f"/v1/games/{game}/{path}").data == api.get(f"/v1/games/{game}/{path}").data
    assert {player["name"] for player in elsewhere.get("/v1/players").get_json()["players"]} == {"Anna", "Ben", "Chiyo"}


def export_raw(log: object, game: str) -> bytes:
    from events.ndjson import export as lines

    return b"".join(lines(log, game, now=0))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_written_game_is_recorded_and_written_again_as_it_was(api: Api, path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    game = str(uuid7())
    answer = bring(api, written, "text/plain", f"?id={game}")
    assert answer.status_code == 201, answer.text
    again = bring(api, written, "text/plain", f"?id={game}")
    assert (again.data, again.headers[NEW]) == (answer.data, "0")
    out = export(api, game, "?format=text&names=true").decode()
    assert _lines(out) == _lines(written)
    headers = [
        line for line in written.splitlines() if line.startswith(("[Black", "[White", "[Result", "[Termination"))
    ]
    assert [line for line in out.splitlines() if line in headers] == headers


def _lines(text: str) -> list[str]:
    """The entries and the comments of a written game."""
    return [line for line in text.splitlines() if line and line[0] != "[" and not line.startswith("; breaks ")]


def test_every_export_says_which_rules_were_broken(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d")
    draw = {"move": {"type": "draw", "seat": 1}, "override": {"reason": "out of turn"}}
    notes = [entry("note.added", text="rain", entry=3), entry("note.added", text="thunder")]
    body = {"events": [entry("move.made", **draw), *notes]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    header = json.loads(export(api, game).splitlines()[0])
    assert header["irregular"] == {"4": ["kahuna:SET-2"]}
    text = export(api, game, "?format=text").decode()
    assert _moves(text) == [
        "BARI-DUDA",
        "#3",
        "white: + ! out of turn",
        "; breaks kahuna:SET-2",
        "#note #3 ! rain",
        "; thunder",
    ]
    assert bring(elsewhere, export(api, game)).status_code == 201
    copy = bring(elsewhere, text, "text/plain").get_json()["game"]
    assert _moves(export(elsewhere, copy, "?format=text").decode()) == _moves(text)
    assert elsewhere.get(f"/v1/games/{copy}/score").get_json()["irregular"] == {"4": ["kahuna:SET-2"]}


def _moves(text: str) -> list[str]:
    return text[text.index("BARI-DUDA") :].splitlines()


def test_a_written_game_with_a_wrong_line_names_it_and_stores_nothing(api: Api) -> None:
    before = stored(api)
    good = '[Ruleset "kahuna"]\n\ndeal black BARI COCO DUDA\nb-d\n'
    for text, line, told in (
        (good + "b-d\n", 5, "a bridge lies on BARI-DUDA already"),
        (good + "zz\n", 5, "expected an island here"),
        (good + "white: -\n+\n", 5, "black's turn"),
        ('[Ruleset "chess"]\n\ne4\n', 1, "no ruleset 'chess'"),
        ("b-d\n", 1, "headers"),
        ("", None, "no game in the text"),
        (good + "\n" + good, 6, "a second game begins here"),
    ):
        answer = bring(api, text, "text/plain")
        problem = answer.get_json()
        assert (answer.status_code, problem["type"]) == (400, "/problems/bad-import"), answer.text
        assert problem.get("line") == line
        assert told in problem["detail"]
        assert stored(api) == before


def test_other_media_types_and_text_that_is_no_utf8_are_refused(api: Api) -> None:
    assert bring(api, b"{}", "application/json").status_code == 415
    assert bring(api, b"\xff\xfe", "text/plain").get_json()["type"] == "/problems/bad-import"
    assert bring(api, "x", "text/plain", "?id=1").get_json()["errors"][0]["field"] == "id"


@cases(
    ("content", "told"),
    [(b"", "it is empty"), (b"\xef\xbb\xbf \n\n", "it is empty"), (b'{"a":' * 100_000, "nested too deeply")],
)
def test_a_file_without_a_header_is_refused_with_what_is_wrong(shared: Api, content: bytes, told: str) -> None:
    answer = bring(shared, content)
    assert answer.status_code == 400
    assert answer.get_json()["detail"].endswith(f"no header of an exported game: {told}")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp932", "euc_jp"])
def test_a_written_game_can_be_in_any_usual_encoding(shared: Api, encoding: str) -> None:
    written = '[Ruleset "kahuna"]\n[Title "京都の夜"]\n[Black "愛子"]\n\ndeal black BARI COCO DUDA\n'
    answer = bring(shared, written.encode(encoding), "text/plain", f"?id={uuid7()}")
    assert answer.status_code == 201, answer.text
    out = export(shared, answer.get_json()["game"], "?format=text&names=true").decode()
    assert '[Title "京都の夜"]' in out
    assert '[Black "愛子"]' in out


def test_a_record_in_utf16_is_refused_with_what_is_wrong(api: Api) -> None:
    content = export(api, api.play("b-d")).decode().encode("utf-16")
    problem = bring(api, content).get_json()
    assert (problem["type"], "UTF-16" in problem["detail"]) == ("/problems/bad-import", True)


def test_an_import_over_the_limit_is_refused(tmp_path: Path, api: Api) -> None:
    app = create_app(Settings(data=tmp_path / "small", max_import=2000))
    small = type(api)(app)
    answer = bring(small, b"x" * 2001)
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/body-too-large")
    app.close()


@pytest.mark.slow
def test_a_record_longer_than_one_commit_comes_in_whole(api: Api, elsewhere: Api) -> None:
    game = api.play()
    notes = [{"id": str(uuid7()), "type": "note.added", "data": {"text": str(n)}} for n in range(CHUNK + 200)]
    for at in range(0, len(notes), 500):
        assert api.post(f"/v1/games/{game}/events", {"events": notes[at : at + 500]}).status_code == 201
    answer = bring(elsewhere, export(api, game))
    assert answer.get_json() == {"game": game, "version": CHUNK + 202}


def test_an_import_brings_no_erased_name_back_unasked(api: Api) -> None:
    game = api.open(seats=[{"name": "Aiko"}, {"name": "Ren"}])
    named = export(api, game, "?names=true")
    seats = api.get(f"/v1/games/{game}").get_json()["seats"]
    assert api.request("DELETE", f"/v1/players/{seats[0]['player']}").status_code == 204
    asked = bring(api, named, NDJSON)
    problem = asked.get_json()
    assert (asked.status_code, problem["type"]) == (409, "/problems/names-erased")
    assert problem["players"] == [seats[0]["player"]]
    for erased, names in (("omit", [None, "Ren"]), ("restore", ["Aiko", "Ren"])):
        assert bring(api, named, NDJSON, f"?erased={erased}").status_code == 201
        assert [seat["name"] for seat in api.get(f"/v1/games/{game}").get_json()["seats"]] == names
    assert bring(api, named, NDJSON).status_code == 201
    assert bring(api, named, NDJSON, "?erased=perhaps").status_code == 400


def test_an_event_that_no_log_takes_is_named_by_its_line_in_a_long_file(
    api: Api, elsewhere: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "CHUNK", 3)
    header, *lines = export(api, api.play("b-d", "-", "+", "-")).splitlines()
    prev, events = "0" * 64, []
    for number, event in enumerate(map(parse_event, lines), 2):
        recorder = "x" * 201 if number == 6 else event.recorder
        other = msgspec.structs.replace(event, recorder=recorder, prev=prev)
        prev = digest(canonical(other))
        events.append(exported(msgspec.structs.replace(other, hash=prev)))
    answer = bring(elsewhere, b"\n".join([json.dumps(json.loads(header) | {"head": prev}).encode(), *events]))
    assert (answer.status_code, answer.get_json()["line"]) == (400, 6), answer.text
    assert "recorder" in answer.get_json()["detail"]
