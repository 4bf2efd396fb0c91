"""Two records that differ only in facts that a caller may not know give him equal answers to every question."""

from __future__ import annotations

import itertools
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from games.contract import PUBLIC, Viewpoint
from games.errors import ImpossibleError
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS
from projections.audit import audit
from projections.statistics.digests import digest_of
from tests import tiers
from tests.choosing import soak_except
from tests.games.misrecording import legal_or_odd_move
from tests.proof import prove
from tests.service.entries import entry, info, recorded_entry, rule, send, unsealed
from tests.service.twins import CARDS, OVERRIDE, Twins

if TYPE_CHECKING:
    from games.contract import Move
    from tests.service.conftest import Api

VIEWPOINTS = (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
ALL_OF_THEM = pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=["public", "seat 0", "seat 1"])


LOOKING = {
    PUBLIC: ("stranger", "viewer", "viewer of the games", "blind recorder", "app of a player"),
    **dict.fromkeys(VIEWPOINTS[1:], ("player",)),
}
"""Who looks from where."""


def assert_alike(api: Api, name: str, viewpoint: Viewpoint, seed: int, *, steps: int, moments: int, tried: int) -> int:
    """Make two records and ask about both, by everybody who looks from there; how often what happened was not the same.

    Each is asked for all of it by one of them, who is another one for each ruleset. The others ask for a part of it: in
    the short run, for a third each. `tried` drafts of moves, and other entries, are sent in the same way.
    """
    twins = Twins(api, name, viewpoint, random.Random(f"{name} {viewpoint} {seed}"))
    for step in range(steps):
        twins.happen()
        if step == steps // 2:
            twins.fork()
            twins.snapshot()
            twins.claim()
    api.catch_up()
    looking = LOOKING[viewpoint]
    asks_for_all = looking[(seed + [*CARDS].index(name)) % len(looking)]
    for at, who in enumerate(looking):
        third = slice(None) if tiers.SOAK or who == asks_for_all else slice(at % 3, None, 3)
        paths = twins.paths(moments if who == asks_for_all else 0, seat_named=seed % 2 == 0)[third]
        guest = twins.guest(who)
        one, other = twins.answers(guest, 0, paths), twins.answers(guest, 1, paths)
        for path in paths:
            assert one[path] == other[path], (who, path)
        drafts = twins.drafts(tried)[third]
        for draft, *said in zip(drafts, twins.tries(guest, 0, drafts), twins.tries(guest, 1, drafts), strict=True):
            assert said[0] == said[1], (who, draft)
            assert "/problems/contradiction" not in said[0], (who, draft)
    return twins.apart


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(
        itertools.product(CARDS, VIEWPOINTS),
        *((name, PUBLIC) for name in CARDS),
        ("kahuna", VIEWPOINTS[2]),
        ("catan_cards", VIEWPOINTS[1]),
    ),
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.slow
def test_records_that_differ_only_in_hidden_facts_look_the_same(api: Api, name: str, viewpoint: Viewpoint) -> None:
    """Those of the other seats leave as files in `test_secrecy_of_exports.py`, and are analysed."""
    assert assert_alike(api, name, viewpoint, 1, steps=40, moments=4, tried=3)


def misrecorded(twins: Twins, chance: random.Random) -> list[Move]:
    """Moves that the public could have recorded, too. Some break rules that not everybody can see."""
    whole, seen = (head.copy() for head in twins.heads)
    moves: list[Move] = []
    for version in range(2, 100):
        move = legal_or_odd_move(whole.state, chance)
        if move is None:
            break
        try:
            seen.copy().play(version, move.seen(PUBLIC))
            whole.play(version, move)
        except ImpossibleError:
            continue
        seen.play(version, move.seen(PUBLIC))
        moves.append(move)
    return moves


def told_of_broken_rules(twins: Twins, number: int) -> list[Any]:
    """What statistics and luck tell of one of the games, as everybody may know it."""
    game, head = twins.games[number], twins.heads[number]
    digest = digest_of(twins.folds, game, head.version)
    luck = KINDS["luck-counts"].analyse(replay_of(twins.folds, game, head.version, PUBLIC), {})
    with pytest.raises(StopIteration) as done:
        next(luck)
    return [digest.irregular, [seat.irregular for seat in digest.seats], done.value.value]


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.slow
def test_secret_notes_against_the_rules_change_no_count_of_entries_that_follow(api: Api, name: str) -> None:
    """The other record is that of somebody who saw only what everybody did. In seed 2 it does not see all slips."""
    for seed in range(3) if tiers.SOAK else (2,):
        chance = random.Random(f"{name} {seed}")
        twins = Twins(api, name, PUBLIC, chance)
        moves = misrecorded(twins, chance)
        for game, told in zip(twins.games, (moves, [move.seen(PUBLIC) for move in moves]), strict=True):
            data = [twins.ruleset.move_data(move) for move in told]
            answer = send(api, game, *(entry("move.made", move=each, **OVERRIDE) for each in data))
            assert answer.status_code == 201, answer.text
        api.catch_up()
        guest = twins.guest("stranger")
        paths = ["/v1/games?id={game}", "/v1/games/{game}", "/v1/games/{game}/state", "/v1/games/{game}/score"]
        paths += ["/v1/games/{game}/timeline?limit=1000"]
        one, other = twins.answers(guest, 0, paths), twins.answers(guest, 1, paths)
        for path in paths:
            assert one[path] == other[path], (seed, path)
        assert told_of_broken_rules(twins, 0) == told_of_broken_rules(twins, 1)


@pytest.mark.soak
@ALL_OF_THEM
@pytest.mark.parametrize("name", CARDS)
def test_nobody_can_tell_two_records_apart_at_length(api: Api, name: str, viewpoint: Viewpoint) -> None:
    assert sum(assert_alike(api, name, viewpoint, seed, steps=80, moments=40, tried=12) for seed in range(22))


# What only some can know to be irregular


TO_A_SPY = (
    *("start 1", "lay g1 o2 w3 l4 b5 a6", "lay g2 o3 w4 l5 b6 a1", "pick 1 Spy ? ?", "pick 2 ? ? ?"),
    *("roll plenty 5", "gain brick", "gain brick"),
)


def spied(api: Api, held: str, **more: Any) -> str:
    """A game in which a Spy took nothing, though his victim held this card; he alone noted it."""
    game = api.open(ruleset="catan_cards", seats=[{}, {}], options={"spy_any": False})
    assert api.record(game, *TO_A_SPY).status_code == 201
    rule(api, game, "points seat=1 points=1", "points seat=2 points=1")
    assert api.record(game, f"2: hold {held}").status_code == 201
    recorded_entry(send(api, game, entry("move.made", move="play Spy -", **more)))
    api.catch_up()
    return game


def test_a_rule_that_was_broken_by_what_is_hidden_is_flagged_for_those_who_know_it(api: Api) -> None:
    """A Spy who finds a unit has to take it: to say that he broke this rule is to say what the other one holds."""
    game = spied(api, "Abbey Scout", override={"reason": "she hid it"})
    entry_, rules = str(info(api, game)["version"]), ["catan_cards:Q40"]
    for seat, seen in (("record", {entry_: rules}), ("1", {entry_: rules}), ("0", {}), ("public", {})):
        assert api.get(f"/v1/games/{game}/score?seat={seat}").get_json()["irregular"] == seen
        *_, last = api.get(f"/v1/games/{game}/timeline?seat={seat}").get_json()["entries"]
        assert [breach["rule"] for breach in last.get("irregular", [])] == seen.get(entry_, [])
        assert last.get("override") == ("she hid it" if seen else None)
    assert info(api, game)["irregular"] == {entry_: rules}
    api.show(game)
    api.token = None
    assert info(api, game)["irregular"] == {}
    assert api.get(f"/v1/games?id={game}").get_json()["games"][0]["irregular"] == 0


def test_an_entry_kept_for_what_is_hidden_is_named_to_those_who_know_it(api: Api) -> None:
    game = spied(api, "Abbey")
    version = info(api, game)["version"]
    recorded_entry(send(api, game, entry("entry.replaced", entry=version - 1, move="2: hold Abbey Scout", keep="all")))
    for seat, seen in (("record", [version]), ("1", [version]), ("0", None), ("public", None)):
        *_, last = api.get(f"/v1/games/{game}/timeline?seat={seat}").get_json()["entries"]
        assert last.get("keep") == seen
    recorded_entry(send(api, game, entry("entry.withdrawn", entry=version + 1)))
    for seat in ("0", "public"):
        entries = api.get(f"/v1/games/{game}/timeline?seat={seat}").get_json()["entries"]
        assert not any("keep" in each for each in entries)


def test_snapshots_tell_the_public_what_the_public_may_know(api: Api) -> None:
    game = spied(api, "Abbey Scout", override={"reason": "she hid it"})
    context = api.app.context
    context.results.keep_snapshot(audit(context.archive.folds.current(game)))
    (own,) = api.get(f"/v1/games/{game}/snapshots").get_json()["snapshots"]
    api.show(game)
    api.token = None
    (seen,) = api.get(f"/v1/games/{game}/snapshots").get_json()["snapshots"]
    assert (len(own["audit"]["irregular"]), seen["audit"]["irregular"]) == (1, {})
    assert (len(own["hash"]), own["audit"]["hash"], seen["hash"], seen["audit"]["hash"]) == (
        64,
        own["hash"],
        None,
        None,
    )
    assert seen["audit"]["scores"] == own["audit"]["scores"]


# What tells one entry from another


def test_the_hash_of_an_entry_that_is_not_sealed_and_its_id_are_told_to_the_owner_alone(api: Api) -> None:
    """Who has both hashes, id and time of an entry needs to try out few cards to know which one was drawn."""
    game = unsealed(api, api.play("-", "+?gola", "-"))
    fork = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7()), "at": 4}).get_json()["game"]
    paths = (game, f"{game}/state", f"{game}/state?at=3", f"{game}/score", f"{game}/timeline", f"{fork}/timeline", fork)
    hashes = [event["hash"] for event in api.get(f"/v1/games/{game}/events").get_json()["events"]]
    ids = [event["id"] for each in (game, fork) for event in api.get(f"/v1/games/{each}/events").get_json()["events"]]
    owned = "".join(api.get(f"/v1/games/{path}").text for path in paths)
    assert all(each in owned for each in (hashes[-1], hashes[2], hashes[3], *ids))
    seat = "".join(api.get(f"/v1/games/{game}/{part}?seat=0").text for part in ("state", "timeline", "score"))
    api.show(game)
    api.show(fork)
    api.token = None
    public = "".join(api.get(f"/v1/games/{path}").text for path in paths)
    for text in (seat, public):
        assert not [each for each in (*hashes, *ids[1:5], *ids[6:]) if each in text]


def test_the_hash_of_a_sealed_record_is_told_to_everybody_and_proves_what_everybody_sees(api: Api) -> None:
    game = api.play("-", "+?gola", "-")
    head = info(api, game)["hash"]
    api.show(game)
    token, api.token = api.token, None
    assert {info(api, game)["hash"], api.get(f"/v1/games/{game}/state").get_json()["hash"]} == {head}
    _, *lines = api.get(f"/v1/games/{game}/export?format=ndjson").data.splitlines()
    prove(lines)
    assert (json.loads(lines[-1])["hash"], b"gola" in b"".join(lines).lower()) == (head, False)
    api.token = token


def test_a_new_login_is_not_told_that_nothing_has_changed(api: Api) -> None:
    """A page that the public was shown is another one for the owner, at the same address and version."""
    game, token = api.play("-", "+?gola", "-"), api.token
    api.show(game)
    for path in (f"{game}/state", f"{game}/timeline", f"{game}/board.svg"):
        api.token = None
        known = api.get(f"/v1/games/{path}").headers
        assert "Authorization" in known["Vary"]
        assert api.get(f"/v1/games/{path}", headers={"If-None-Match": known["ETag"]}).status_code == 304
        api.token = token
        assert api.get(f"/v1/games/{path}", headers={"If-None-Match": known["ETag"]}).status_code == 200
    seen = api.get(f"/v1/games/{game}/state?seat=1").headers["ETag"]
    assert seen.startswith('"v5-')
    assert api.record(game, "+", headers={"If-Match": seen}).status_code == 201
