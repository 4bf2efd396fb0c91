"""Proofs of a tree with a game that hides facts without seals: nobody can test guesses at them with a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from werkzeug.test import Client

from events.canonical import canonical, digest
from events.tree import merkle
from events.tree.receipts import parse_receipt
from games.kahuna.components import ISLANDS
from tests.service.conftest import Api
from tests.service.entries import unsealed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import Event

PARTS = ("proof", "receipt", "receipt.svg")
"""What proves an entry."""


@pytest.fixture
def game(api: Api) -> str:
    """A game for everybody that hides nothing; the entry before it is an old one, with a card that black drew."""
    drawn = api.play("+?gola")
    api.open(ruleset="scoresheet", seats=[{}, {}])
    unsealed(api, drawn)
    game = api.open(ruleset="scoresheet", seats=[{}, {}])
    api.show(game)
    return game


def stranger(api: Api) -> Api:
    found = Api(api.app)
    found.token = None
    return found


def statuses(api: Api, game: str, **more: Any) -> set[int]:
    return {api.get(f"/v1/games/{game}/events/1/{part}", **more).status_code for part in PARTS}


def guesses(event: Event) -> Iterator[tuple[str, bytes]]:
    """Each card with the leaf that the entry would be with it."""
    for card in ISLANDS:
        guessed = msgspec.structs.replace(event, body=event.body.replace(b"GOLA", card.encode()))
        yield card, merkle.leaf_hash(bytes.fromhex(digest(canonical(guessed))))


def test_a_proof_that_would_tell_the_card_of_another_game_is_not_for_everybody(api: Api, game: str) -> None:
    proof = parse_receipt(api.get(f"/v1/games/{game}/events/1/receipt").text).proof
    *_, (_, old), _ = api.app.context.archive.log.feed(0, 1000)
    assert [card for card, leaf in guesses(old) if leaf in proof] == ["GOLA"], "twelve guesses find it"
    text = api.post(f"/v1/games/{game}/links", {}).get_json()["path"].removeprefix("/s/")
    player, referee = (api.let_in(games={game: part}) for part in (1, "referee"))
    for asker in (stranger(api), player, referee, api.let_in("viewer")):
        assert statuses(asker, game) == {403}
    with_link = Client(api.app, use_cookies=False)
    for part in PARTS:
        answer = with_link.get(f"/v1/games/{game}/events/1/{part}", headers={"Kifu-Share": text})
        assert answer.status_code == 403


def test_the_refusal_says_why_and_what_it_takes_and_names_no_game(api: Api, game: str) -> None:
    answer = stranger(api).get(f"/v1/games/{game}/events/1/receipt")
    said = answer.get_json()
    assert (said["type"], said["scope"]) == ("/problems/scope-needed", "tree:read")
    assert said["detail"] == (
        "proofs would reveal hidden facts, because an older release recorded a game here without seals: "
        "this requires tree:read"
    )
    assert 'scope="tree:read"' in answer.headers["WWW-Authenticate"]


@pytest.mark.slow
def test_those_who_may_see_all_records_or_the_tree_have_every_proof(api: Api, game: str) -> None:
    witness = api.let_in("owner", scopes=["tree:read", "games:read"])
    for asker in (api, witness, api.let_in("recorder"), api.let_in("referee")):
        assert statuses(asker, game) == {200}
    made = api.post("/v1/tokens", {"name": "one game", "scopes": ["games:read", "hidden:read"], "games": [game]})
    of_one_game = stranger(api)
    of_one_game.token = made.get_json()["token"]
    assert statuses(of_one_game, game) == {403}


def test_an_old_game_that_hides_nothing_keeps_no_proof_from_anybody(api: Api) -> None:
    game = api.open(ruleset="scoresheet", seats=[{}, {}])
    unsealed(api, game)
    api.show(game)
    assert statuses(stranger(api), game) == {200}


def test_no_proof_is_given_before_it_is_known_whether_it_tells_something(
    api: Api, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.api.context.READ_MODEL_WAIT", 0.05)
    context = api.app.context
    context.catch_up()
    api.stop_thread("projector")
    unsealed(api, api.play("+?gola"))
    context.tree.grow()
    assert (statuses(stranger(api), game), statuses(api, game)) == ({503}, {200})
