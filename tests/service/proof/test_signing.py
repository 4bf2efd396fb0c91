"""Signing off: who signed which head, with a key of his own, and what was corrected since."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256
from uuid_utils import uuid7

from events.canonical import canonical, digest
from events.ndjson import parse_event
from events.signing import statement
from events.verification import verify_export
from tests.proof import compact
from tests.service.entries import entry, info, recorded_entry, send, timeline

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

EDWARDS = ed25519.Ed25519PrivateKey.generate()
CURVE = ec.generate_private_key(ec.SECP256R1())
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


def text(content: bytes) -> str:
    return b64encode(content).decode()


OTHER = text(ed25519.Ed25519PrivateKey.generate().public_key().public_bytes(*RAW))


def made_by_edwards(content: bytes) -> dict[str, str]:
    key = text(EDWARDS.public_key().public_bytes(*RAW))
    return {"algorithm": "ed25519", "key": key, "signature": text(EDWARDS.sign(content))}


def made_by_curve(content: bytes) -> dict[str, str]:
    """As browsers write signatures over P-256: two numbers of 32 bytes."""
    halves = utils.decode_dss_signature(CURVE.sign(content, ec.ECDSA(SHA256())))
    signature = b"".join(half.to_bytes(32) for half in halves)
    return {"algorithm": "p256", "key": text(CURVE.public_key().public_bytes(*POINT)), "signature": text(signature)}


def signature(api: Api, game: str, seat: int | None = 0, *, make: Any = made_by_edwards, **more: Any) -> dict[str, Any]:
    """An entry that signs the game as it stands."""
    head = info(api, game)
    version, hash_ = head["version"], head["hash"]
    made = make(statement(more.get("game", game), version, hash_, seat))
    data = {"version": version, "hash": hash_, **({} if seat is None else {"seat": seat}), **made}
    return entry("record.signed", **data)


@pytest.mark.parametrize("make", [made_by_edwards, made_by_curve])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_head_is_signed_told_and_proved_offline(api: Api, elsewhere: Api, make: Any, seat: int | None) -> None:
    game = api.play("b-d", "-")
    recorded_entry(send(api, game, signature(api, game, seat, make=make)))
    last = timeline(api, game)[-1]
    assert (last["type"], last["entry"], last.get("seat")) == ("record.signed", 4, seat)
    assert (last["signed"]["algorithm"], len(last["signed"]["key"]), last["signed"]["changed_by"]) == (
        make(b"")["algorithm"],
        16,
        [],
    )
    content = api.get(f"/v1/games/{game}/export?seat=public").data
    assert verify_export(content.splitlines()).sound
    answer = elsewhere.request("POST", "/v1/imports", data=content, content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text


@pytest.mark.slow
def test_a_signature_says_whether_the_player_of_the_seat_entered_it(api: Api) -> None:
    """Not the recorder of the table, not another player, and not who sat there before."""
    players = [str(uuid7()) for _ in range(3)]
    game = api.open(seats=[{"player": players[0]}, {"player": players[1]}])
    guests = [api.let_in("recorder", person=player) for player in players]

    def own(by: Api, seat: int | None) -> bool:
        recorded_entry(send(by, game, signature(api, game, seat)))
        return bool(timeline(api, game)[-1]["signed"]["own"])

    assert [own(by, 0) for by in (*guests, api)] == [True, False, False, False]
    assert [own(by, 1) for by in guests] == [False, True, False]
    assert not own(guests[0], None)
    recorded_entry(send(api, game, entry("seat.changed", seat=0, player=players[2])))
    assert [own(by, 0) for by in guests] == [False, False, True]
    made = guests[2].post("/v1/tokens", {"name": "app", "scopes": ["games:read", "games:record"]}).get_json()
    app = api.let_in()
    app.token = made["token"]
    assert not own(app, 0), "an app is not the player"


def test_both_sign_one_after_the_other_and_a_closed_record_is_signed_too(api: Api) -> None:
    game = api.play("b-d", "-")
    recorded_entry(send(api, game, entry("game.closed", how="abandoned")))
    recorded_entry(send(api, game, signature(api, game, 0)))
    recorded_entry(send(api, game, signature(api, game, 1, make=made_by_curve)))
    assert [each.get("entry") for each in timeline(api, game)[-2:]] == [5, 6]
    assert info(api, game)["closed"] == "abandoned"


def test_what_was_corrected_after_it_was_signed_is_told(api: Api) -> None:
    game = api.play("b-d", "-")
    recorded_entry(send(api, game, signature(api, game)))
    recorded_entry(send(api, game, entry("note.added", text="later")))
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-e")))
    recorded_entry(send(api, game, entry("move.made", move="-", override={"reason": "x"})))
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=8)))
    assert timeline(api, game)[4]["signed"]["changed_by"] == [7]
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=7)))
    assert timeline(api, game)[4]["signed"]["changed_by"] == []  # it is again as it was signed


def test_a_signature_is_safe_to_repeat_and_cannot_be_withdrawn(api: Api) -> None:
    game = api.play("b-d")
    signed = signature(api, game)
    first = send(api, game, signed)
    assert (first.status_code, send(api, game, signed).data) == (201, first.data)
    answer = send(api, game, entry("entry.withdrawn", entry=4))
    assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/bad-correction")


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "another version": ("bad-signature", {"version": 2}),
    "another hash": ("bad-signature", {"hash": "0" * 64}),
    "another seat": ("bad-signature", {"seat": 1}),
    "a seat that is not there": ("bad-entry", {"seat": 9}),
    "another algorithm": ("bad-signature", {"algorithm": "p256"}),
    "an unknown algorithm": ("bad-entry", {"algorithm": "rsa"}),
    "another key": (
        "bad-signature",
        {"key": text(ed25519.Ed25519PrivateKey.generate().public_key().public_bytes(*RAW))},
    ),
    "no key": ("bad-signature", {"key": text(b"short")}),
    "a key that is no base64": ("bad-entry", {"key": "%%%"}),
    "base64 cut short": ("bad-signature", {"key": "abcde"}),
    "another signature": ("bad-signature", {"signature": text(bytes(64))}),
    "a signature that is too short": ("bad-signature", {"signature": text(b"x")}),
    "a signature without end": ("bad-entry", {"signature": "A" * 300}),
}


@pytest.mark.parametrize(("kind", "changed"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("make", [made_by_edwards, made_by_curve])
def test_what_signs_nothing_is_refused_and_says_why(api: Api, make: Any, kind: str, changed: dict[str, Any]) -> None:
    game = api.play("b-d", "-")
    signed = signature(api, game, make=make)
    if changed.get("algorithm") == signed["data"]["algorithm"]:
        changed = {"algorithm": "ed25519"}
    signed["data"] |= changed
    answer = send(api, game, signed)
    assert (answer.status_code, answer.get_json()["type"]) == (400 if kind == "bad-entry" else 422, f"/problems/{kind}")
    assert info(api, game)["version"] == 4


def test_a_signature_of_another_game_or_of_an_earlier_head_is_none(api: Api) -> None:
    game, other = api.play("b-d", "-"), api.play("b-d", "-")
    assert send(api, other, signature(api, game)).get_json()["type"] == "/problems/bad-signature"
    early = signature(api, game)
    recorded_entry(send(api, game, entry("note.added", text="one more")))
    answer = send(api, game, early).get_json()
    assert (answer["type"], answer["detail"]) == (
        "/problems/bad-signature",
        "it signs version 4, and the record is at version 5",
    )
    both = send(api, game, entry("note.added", text="and"), signature(api, game))
    assert (both.status_code, both.get_json()["entry_index"]) == (422, 1)
    assert info(api, game)["version"] == 5


@pytest.mark.parametrize("field", ["signature", "hash", "version", "seat", "key"])
def test_a_forged_signature_in_a_file_is_found_and_named(api: Api, elsewhere: Api, field: str) -> None:
    """Its chain is sound: the owner of the log can make all hashes anew, but not what a player's key signs."""
    game = api.play("b-d", "-")
    recorded_entry(send(api, game, signature(api, game)))
    header, *lines = api.get(f"/v1/games/{game}/export").data.splitlines()
    forged = json.loads(lines[-1])
    other = {
        "signature": text(bytes(64)),
        "hash": "1" * 64,
        "version": 3,
        "seat": 1,
        "key": OTHER,
    }
    forged["data"] = dict(sorted((forged["data"] | {field: other[field]}).items()))
    forged["hash"] = digest(canonical(parse_event(compact(forged))))
    content = [compact(json.loads(header) | {"head": forged["hash"]}), *lines[:-1], compact(forged)]
    assert [(each.kind, each.version) for each in verify_export(content).problems] == [("missigned", 5)]
    answer = elsewhere.request("POST", "/v1/imports", data=b"\n".join(content), content_type="application/x-ndjson")
    assert (answer.status_code, "missigned" in answer.get_json()["detail"]) == (400, True)


def test_a_receipt_is_offered_with_what_was_recorded_as_a_file_and_as_a_picture(api: Api) -> None:
    game = api.play("b-d")
    answer = api.record(game, "-").get_json()
    api.catch_up()
    receipt = api.get(answer["receipt"])
    assert (receipt.status_code, receipt.text.startswith("c2sp.org/tlog-proof@v1")) == (200, True)
    drawn = api.get(f"{answer['receipt']}.svg")
    assert (drawn.status_code, drawn.mimetype, drawn.data[:5]) == (200, "image/svg+xml", b"<?xml")
    assert "receipt" not in api.record(game, "-", query="?dry_run=true").get_json()
