"""Seals: what is not in the line is bound by it, tells nothing, and can be erased."""

from __future__ import annotations

import contextlib
import json
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import ndjson, seals
from events.canonical import canonical, digest, exported
from events.encoding import encode_data
from events.entries import check_event
from events.errors import DamagedError, NotSealedError
from events.event import NewEvent
from events.schemas import SCHEMAS, Schemas
from events.seals import BadSealsError, Erasure
from events.sqlite import SqliteLog, verify
from events.types import TYPES, MoveMade
from events.verification import verify_export
from tests.choosing import soak_except
from tests.events.stores import AT_REST, ON_SQLITE, each_store
from tests.proof import prove, sealed_in

store = pytest.fixture(params=AT_REST)(each_store)

SAID = st.builds(str.__mul__, st.text(max_size=4), st.integers(0, 40))
MEMBERS = st.dictionaries(st.sampled_from(["move", "override", "keep"]), SAID | st.integers(), max_size=3)
NAMES = st.sampled_from([seals.RECORD, seals.TEXT, *map(seals.seat_seal, (0, 1, 7, 19))])


def seen(move):
    """A move with a card that only its seat may know. Everybody sees who made it."""
    public = {name: value for name, value in move.items() if name != "card"}
    return encode_data(public), {move["seat"]: encode_data(move)}


HIDING = SCHEMAS.reader(dict[str, object], dict[str, object], seen)


@pytest.fixture
def hide(make):
    """An entry of a game that hides cards, as it is checked before it is stored."""

    def check(event_type="move.made", **data):
        return check_event(0, NewEvent(id=make.id(), type=event_type, data=data), HIDING)

    return check


@pytest.fixture
def table(log, make, hide):
    """A game with a drawn card, one that was not noted, an overridden one, and a note."""
    game = make.id()
    opening = make.opening(title="Sunday", place="home")
    entries = [
        hide(move={"seat": 0, "card": "HUNA"}),
        hide(move={"seat": 1}),
        hide(move={"seat": 1, "card": "BARI"}, override={"reason": "nobody minded"}),
        hide("note.added", text="the cat came"),
        hide("entry.withdrawn", entry=3, reason="a slip", keep=[4]),
    ]
    log.append(game, [opening, *entries], expected=0, recorder="owner")
    return game


def lines(log, game, viewpoint="record"):
    return list(ndjson.export(log, game, now=0, viewpoint=viewpoint))


# The bytes


@given(st.dictionaries(NAMES, MEMBERS, max_size=6), st.sets(NAMES))
@pytest.mark.slow
def test_seals_are_unpacked_as_they_were_packed(contents, gone):
    made = [seals.seal(name, members) for name, members in contents.items()]
    made = [seals.close(each, Erasure("ann", 7)) if each.name in gone else each for each in made]
    packed = seals.pack(made)
    assert sorted(seals.unpack(packed), key=lambda each: each.name) == sorted(made, key=lambda each: each.name)
    assert seals.pack(seals.unpack(packed)) == packed
    assert (packed is None) == (made == [])
    written = json.loads("{" + seals.fragment(packed)[1:] + "}").get("sealed", {})
    assert written == {each.name: each.hash for each in made}


@given(st.dictionaries(NAMES, MEMBERS, min_size=1, max_size=4), st.data())
def test_a_bit_that_flips_in_what_is_sealed_is_never_read_as_the_same_line(contents, data):
    packed = seals.pack([seals.seal(name, members) for name, members in contents.items()])
    bit = data.draw(st.integers(0, len(packed) * 8 - 1))
    flipped = bytearray(packed)
    flipped[bit // 8] ^= 1 << bit % 8
    with contextlib.suppress(BadSealsError):
        assert seals.fragment(bytes(flipped)) != seals.fragment(packed)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_seals_are_a_clear_error_or_seals(content):
    try:
        found = seals.unpack(content)
    except BadSealsError:
        return
    assert all(len(each.hash) == 64 for each in found)


def test_who_erased_it_is_not_believed_when_its_bytes_are_not_what_was_written():
    packed = seals.pack([seals.close(seals.seal("text", {}), Erasure("ann", 7))])
    with pytest.raises(BadSealsError, match="who erased it"):
        seals.unpack(packed[:-1] + bytes([packed[-1] ^ 1]))


def test_two_seals_of_the_same_are_two_hashes_and_their_length_tells_nothing():
    alike = {seals.seal("record", {"move": "BARI"}).hash for _ in range(100)}
    assert len(alike) == 100
    assert {len(seals.seal("record", {"x": "y" * size}).hash) for size in range(200)} == {64}


# The line


def test_a_line_holds_what_everybody_may_know_and_nothing_else(log, table):
    text = b"\n".join(lines(log, table, "public")).decode()
    for hidden in ("HUNA", "BARI", "nobody minded", '"keep"', '"override"'):
        assert hidden not in text
    for shown in ("the cat came", "a slip", "Sunday"):  # what can be erased is sealed, and open to all
        assert shown not in canonical_of(log, table)
        assert shown in text


def canonical_of(log, game):
    return b"\n".join(canonical(event) for event in log.read(game)).decode()


def test_what_was_not_noted_is_sealed_as_well(log, table):
    """Whether a card was noted, or an override given, is not told by the seals that stand there, nor by their form."""
    public = [json.loads(line) for line in lines(log, table, "public")[1:]]
    drawn, unnoted, overridden = public[1:4]
    assert set(drawn["sealed"]) == {"record", "seat-0"}
    assert set(unnoted["sealed"]) == set(overridden["sealed"]) == {"record", "seat-1"}
    assert unnoted["data"] == overridden["data"] == {"move": {"seat": 1}}
    assert {len(entry["sealed"]["record"]) for entry in public[1:4]} == {64}
    assert len({len(canonical(event)) for event in log.read(table, 2, 4)}) == 1


@pytest.mark.parametrize("viewpoint", ["record", "public", "seat-0", "seat-1"])
def test_an_export_for_any_viewpoint_is_proved_with_sha_256_alone(log, table, viewpoint):
    written = lines(log, table, viewpoint)
    prove(written[1:])
    assert verify_export(written).sound
    entries = [json.loads(line) for line in written[1:]]
    assert [entry["hash"] for entry in entries] == [event.hash for event in log.read(table)]
    opened = [set(entry.get("opened", {})) for entry in entries]
    wanted = {
        "record": [{"record", "seat-0"}, {"record", "seat-1"}, {"record", "record.text", "seat-1"}],
        "public": [set(), set(), set()],
        "seat-0": [{"seat-0"}, set(), set()],
        "seat-1": [set(), {"seat-1"}, {"seat-1"}],
    }
    assert opened[1:4] == wanted[viewpoint]
    assert opened[0] == opened[4] == {"text"}


def test_a_line_of_an_export_shows_what_lies_behind_seals_without_another_hash(log, table, monkeypatch):
    told = [line + b"\n" for line in map(exported, log.read(table))]
    hashed = []
    monkeypatch.setattr(seals, "_hash", lambda *of: hashed.append(of))
    assert lines(log, table)[1:] == told
    assert b'"seat-0":{"salt"' in told[1]
    assert not hashed


def test_the_whole_is_read_back_and_a_seat_reads_what_it_may_know(log, table, tmp_path):
    read = [SCHEMAS.read(event) for event in log.read(table)]
    assert (read[0].title, read[0].place) == ("Sunday", "home")
    assert read[3] == MoveMade({"seat": 1, "card": "BARI"}, read[3].override)
    assert (read[3].override.reason, read[4].text, read[5].keep) == ("nobody minded", "the cat came", [4])
    for viewpoint, cards in (("public", [None, None]), ("seat-0", ["HUNA", None]), ("seat-1", [None, "BARI"])):
        events = [ndjson.parse_event(line) for line in lines(log, table, viewpoint)[1:]]
        with SqliteLog(tmp_path / viewpoint / "kifu.db") as other:
            other.adopt(events)
            kept = list(other.read(table))
            assert kept == events
            found = [SCHEMAS.read(kept[at]).move.get("card") for at in (1, 3)]
        assert found == cards
        assert SCHEMAS.read(kept[5]).keep == []
        assert verify(tmp_path / viewpoint / "kifu.db").sound


def test_a_repeated_request_is_the_same_though_its_salts_are_others(log, table, make):
    new = NewEvent(id=make.id(), type="move.made", data={"move": {"seat": 0, "card": "GOLA"}})
    first = log.append(table, [check_event(0, new, HIDING)], expected=6, recorder="owner")
    again = log.append(table, [check_event(0, new, HIDING)], expected=6, recorder="owner")
    assert (again.new, again.events) == (0, first.events)


def test_what_of_an_older_schema_is_stored_stays_as_it_is_and_is_read_as_the_same(log, make):
    """An entry that an older release stored in the clear, and the same one sealed today, read alike."""
    sealed = check_event(0, NewEvent(id=make.id(), type="note.added", data={"text": "an old one"}))
    assert sealed.line == b"{}"
    assert SCHEMAS.first_sealed_schema("note.added") == SCHEMAS.current("note.added") == 3
    older = Schemas({"note.added": TYPES["note.added"]})
    assert older.current("note.added") == 1
    event = msgspec.structs.replace(
        next(log.read(make.game(log))), type="note.added", schema=2, body=sealed.body, sealed=None
    )
    assert SCHEMAS.read(event) == sealed.data


# Wrong, missing, foreign and swapped


def spoilt(log, game, change):
    """The problems of the record's export after a change of its drawn card's line, and of the one after it."""
    written = lines(log, game)
    entries = [json.loads(line) for line in written]
    change(entries[2], entries[4])
    found = verify_export(json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode() for entry in entries)
    return {(problem.kind, problem.version) for problem in found.problems}


WRONG = {
    "another content": lambda e, _: e["opened"]["record"]["content"]["move"].update(card="BARI"),
    "another salt": lambda e, _: e["opened"]["record"].update(salt="00" * 16),
    "a salt that is too short": lambda e, _: e["opened"]["record"].update(salt="00"),
    "no hexadecimal salt": lambda e, _: e["opened"]["record"].update(salt="zz" * 16),
    "the opening of another entry": lambda e, other: e["opened"].update(record=other["opened"]["record"]),
    "openings swapped": lambda e, _: e.update(
        opened=dict(zip(e["opened"], reversed(e["opened"].values()), strict=True))
    ),
    "an opening of a seal that is not there": lambda e, _: e["opened"].update(text={"salt": "00" * 16, "content": {}}),
    "an opening of no seal at all": lambda e, _: e["opened"].update(nobody={"salt": "00" * 16, "content": {}}),
    "an erasure of a seal that is not there": lambda e, _: e.update(erased={"text": {"by": "a", "at": "x"}}),
    "seals swapped": lambda e, other: e.update(sealed=other["sealed"]),
    "a seal missing": lambda e, _: e["sealed"].pop("seat-0"),
    "no seal at all": lambda e, _: e.pop("sealed"),
    "a seal that is no hash": lambda e, _: e["sealed"].update(record="abc"),
    "a hidden text of another": lambda _, e: e["opened"]["record.text"]["content"]["override"].update(reason="x"),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_what_is_not_what_was_sealed_is_found_and_named(log, table, change):
    found = spoilt(log, table, change)
    assert found
    assert {version for _, version in found} <= {2, 4}
    assert {kind for kind, _ in found} <= {"unsealed", "unreadable", "edited"}


def test_an_opening_that_is_left_out_is_no_fault(log, table):
    assert spoilt(log, table, lambda e, _: e["opened"].pop("record")) == set()


@ON_SQLITE
@pytest.mark.parametrize("seed", soak_except(range(40), *range(10)))
def test_a_bit_that_flips_beside_the_lines_of_a_log_is_found_and_not_served(store, seed, log, table, path, tamper):
    log.close()
    chance = random.Random(seed)
    entry, at = chance.choice([1, 2, 3, 4, 5, 6]), chance.random()
    changed = []

    def flip(packed):
        broken = bytearray(packed)
        bit = int(at * len(packed) * 8)
        broken[bit // 8] ^= 1 << bit % 8
        changed.append(bytes(broken).hex())

    with store.log(path) as reading:
        flip(next(reading.read(table, entry - 1, entry)).sealed)
    tamper(f"update event set sealed = x'{changed[0]}' where version = {entry}")
    assert not store.verify(path).sound
    with store.log(path) as again, pytest.raises(DamagedError):
        list(again.read(table))


def test_seals_that_were_taken_away_are_found(store, log, table, path, tamper):
    log.close()
    tamper("update event set sealed = null where version = 3")
    (problem,) = store.verify(path).problems
    assert (problem.kind, problem.version) == ("edited", 3)


# Erasing


@ON_SQLITE
@pytest.mark.parametrize(
    ("entry", "what", "gone"),
    [(1, "text", "Sunday"), (5, "text", "the cat came"), (4, "text", "nobody minded"), (2, "hidden", "HUNA")],
)
def test_what_is_erased_leaves_its_seal_and_no_byte(store, log, table, path, entry, what, gone):
    hashes = [event.hash for event in log.read(table)]
    erased = log.erase(table, entry, what, "ann")
    *before, said = log.read(table)
    assert [event.hash for event in before] == hashes
    assert (said.type, said.recorder, said.data) == ("entry.erased", "ann", {"entry": entry, "what": what})
    assert [each.erased.by for each in seals.unpack(erased.sealed) if each.erased] != []
    assert not [file for file in path.parent.iterdir() if gone.encode() in file.read_bytes()]
    prove(lines(log, table)[1:])
    assert verify_export(lines(log, table)).sound
    log.close()
    assert not [file for file in path.parent.iterdir() if gone.encode() in file.read_bytes()]
    assert store.verify(path).sound


def test_erasing_again_changes_nothing_and_says_who_did_it_first(log, table):
    first = log.erase(table, 5, "text", "ann")
    record = list(log.read(table))
    assert log.erase(table, 5, "text", "bea") == first
    assert list(log.read(table)) == record
    assert SCHEMAS.read(first).text == "(sealed)"


def test_what_two_erase_of_one_entry_at_once_is_gone_both(log, table, monkeypatch):
    exchange = log._exchange_seals

    def meanwhile(game, changes):
        monkeypatch.undo()
        log.erase(game, 4, "hidden", "bea")  # between the other one's reading and writing
        return exchange(game, changes)

    monkeypatch.setattr(log, "_exchange_seals", meanwhile)
    erased = {each.name: each.erased.by for each in seals.unpack(log.erase(table, 4, "text", "ann").sealed)}
    assert erased == {"record": "bea", "seat-1": "bea"}  # the text's seal was in what is hidden
    assert seals.unpack(next(log.read(table, 3, 4)).sealed)[0].content is None


@pytest.mark.parametrize("part", ["text", "hidden"])
def test_a_text_within_what_is_hidden_does_not_come_back_by_joining(log, table, tmp_path, part):
    before = [ndjson.parse_event(line) for line in lines(log, table)[1:]]
    assert not log.join_seals(table, before)
    log.erase(table, 4, part, "ann")
    erased = list(log.read(table))[:-1]
    assert not log.join_seals(table, before)
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        other.adopt(before)
        assert other.join_seals(table, erased)
        assert list(other.read(table)) == erased
        assert not other.join_seals(table, before)
    assert b"nobody minded" not in (tmp_path / "other" / "kifu.db").read_bytes()


@given(st.data(), st.lists(st.sampled_from(["open", "closed", "erased"]), min_size=3, max_size=3))
def test_joined_seals_are_open_where_either_is_and_closed_where_either_was_erased(data, there):
    text = seals.seal("text", {"text": "t"})
    card, seat = seals.seal("record", {"x": "y"}), seals.seal("seat-1", {"x": "y"})
    forms = {
        "open": lambda each: each,
        "closed": seals.close,
        "erased": lambda each: seals.close(each, Erasure("ann", 7)),
    }
    here = [data.draw(st.sampled_from(sorted(forms))) for _ in there]
    mine, others = (
        seals.pack(forms[form](each) for form, each in zip(each_form, (card, seat, text), strict=True))
        for each_form in (here, there)
    )
    both = {each.name: each for each in seals.unpack(seals.join(mine, others))}
    assert seals.fragment(seals.join(mine, others)) == seals.fragment(mine)
    assert seals.join(seals.join(mine, others), others) == seals.join(mine, others)
    for parts, each in ((slice(0, 2), card), (slice(0, 2), seat), (slice(2, 3), text)):
        place = (card, seat, text).index(each)
        gone = "erased" in (*here[parts], *there[parts])
        is_open = not gone and "open" in (here[place], there[place])
        assert (both[each.name].content is not None) is is_open


def test_an_erased_text_keeps_the_card_and_an_erased_card_the_rest(log, table):
    read = SCHEMAS.read(log.erase(table, 4, "text", "ann"))
    assert (read.move["card"], read.override) == ("BARI", None)
    read = SCHEMAS.read(log.erase(table, 4, "hidden", "ann"))
    assert (read.move, read.override) == ({"seat": 1}, None)


def test_an_import_does_not_bring_back_erased_parts(log, table, tmp_path):
    log.erase(table, 2, "hidden", "ann")
    written = lines(log, table)
    with SqliteLog(tmp_path / "other" / "kifu.db") as other:
        other.adopt([ndjson.parse_event(line) for line in written[1:]])
        assert lines(other, table) == written
    assert json.loads(written[2])["erased"]["record"]["by"] == "ann"


def test_the_public_is_not_told_that_a_hidden_text_was_erased(log, table):
    log.erase(table, 4, "text", "ann")
    assert "erased" not in json.loads(lines(log, table, "public")[4])


def test_a_repeated_request_does_not_bring_back_what_was_erased(log, table, make):
    new = NewEvent(id=make.id(), type="note.added", data={"text": "a secret"})
    log.append(table, [new], expected=6, recorder="owner")
    log.erase(table, 7, "text", "ann")
    assert log.append(table, [new], expected=6, recorder="owner").new == 0
    assert SCHEMAS.read(next(log.read(table, 6, 7))).text == "(sealed)"


def test_of_an_entry_that_is_not_sealed_nothing_can_be_erased(log, make):
    event = next(log.read(make.game(log)))
    game = make.id()
    old = msgspec.structs.replace(event, game=game, id=game, schema=2)
    old = msgspec.structs.replace(old, hash=digest(canonical(old)))
    log.adopt([old])
    with pytest.raises(NotSealedError):
        log.erase(game, 1, "text", "ann")
    assert exported(next(log.read(game))) == exported(old)


@ON_SQLITE
def test_the_database_lets_nothing_else_of_an_entry_be_changed(log, table):
    connection = log._writer._connection
    for column in ("data", "hash", "version", "recorded_at", "recorder", "schema"):
        with pytest.raises(Exception, match="append-only"):
            connection.execute(f"update event set {column} = {column} where version = 2")


def test_every_seal_that_can_be_seen_is_counted(log, table):
    entry = json.loads(lines(log, table)[4])
    assert set(sealed_in(entry)) == {"record", "record.text", "seat-1"}
