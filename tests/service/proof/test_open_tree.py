"""A tree that everybody may read, while no hash in it tells anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from events.tree.checkpoints import open_checkpoint
from events.tree.leaves import read_leaves, tile_paths
from events.tree.notes import parse_verifier
from projections.catalogue.lookups import find_unsealed
from projections.catalogue.writing import list_unreadable
from service.access import limiting
from service.app import create_app
from service.settings import BadSettingError, Settings, from_environment
from tests.service.conftest import UNLIMITED, Api
from tests.service.entries import unsealed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPENED = ("checkpoint", "key", "tile/0/000.p/2", "tile/entries/000.p/2", "consistency?from=1&to=2")
"""What everybody may read of the tree."""


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    app = create_app(Settings(data=tmp_path / "open", tree="open", **UNLIMITED))
    found = Api(app)
    found.play("+?gola", "-")
    found.catch_up()
    yield found
    app.close()


def stranger(api: Api, token: str | None = None) -> Api:
    found = Api(api.app)
    found.token = token
    return found


def statuses(api: Api) -> set[int]:
    return {api.get(f"/v1/tree/{path}").status_code for path in OPENED}


def test_everybody_reads_a_tree_that_tells_nothing_as_the_owner_does(api: Api) -> None:
    for path in OPENED:
        answers = [guest.get(f"/v1/tree/{path}") for guest in (api, stranger(api), stranger(api, "kifu_wrong"))]
        assert {answer.status_code for answer in answers} == {200}, path
        assert len({answer.data for answer in answers}) == 1, path
        assert len({answer.headers["Cache-Control"] for answer in answers}) == 1, path
    assert statuses(api.let_in("viewer")) == {200}, "nor is a token in the way that has not the scope"


def test_a_client_of_tiles_rebuilds_the_signed_tree_without_a_token(api: Api) -> None:
    guest = stranger(api)
    key = parse_verifier(guest.get("/v1/tree/key").text)
    checkpoint = open_checkpoint(guest.get("/v1/tree/checkpoint").text, key).checkpoint
    bundles = [guest.get(f"/v1/tree/tile/entries/{path}").data for path in tile_paths(checkpoint.size)]
    assert len(list(read_leaves(bundles, checkpoint))) == checkpoint.size == 4


def test_what_signs_something_stays_for_who_administers(api: Api) -> None:
    assert stranger(api).get(f"/v1/tree/archive/{'0' * 64}").status_code == 401


def test_nobody_reads_a_tree_without_a_token_unless_the_settings_say_so(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, **UNLIMITED))
    try:
        api = Api(app)
        api.play()
        api.catch_up()
        assert (statuses(stranger(api)), statuses(api)) == ({401}, {200})
    finally:
        app.close()
    with pytest.raises(BadSettingError, match="KIFU_TREE is token or open, not 'all'"):
        from_environment({"KIFU_TREE": "all"})


def test_a_game_with_hidden_facts_and_without_seals_takes_the_tree_back(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    old = unsealed(api, api.play("+?gola", "-"))
    api.catch_up()
    for _ in range(2):
        assert (statuses(stranger(api)), statuses(api.let_in("viewer")), statuses(api)) == ({401}, {403}, {200})
    said = [record.message for record in caplog.records if "KIFU_TREE=open" in record.message]
    assert said == [f"KIFU_TREE=open: the tree takes a token, because game {old} has no seals"]


def test_an_old_game_that_hides_nothing_leaves_the_tree_open(api: Api) -> None:
    sheet = api.open(ruleset="scoresheet", seats=[{}, {}])
    unsealed(api, sheet)
    api.catch_up()
    assert statuses(stranger(api)) == {200}


def test_a_game_that_was_never_read_counts_as_one_without_seals(api: Api) -> None:
    db = api.app.context.archive.views.db
    known = api.get("/v1/games").get_json()["games"][0]["game"]
    list_unreadable(db, known, "damaged since", 3)
    assert find_unsealed(db) is None
    list_unreadable(db, other := known[:-4] + "0000", "damaged at the start", 3)
    assert find_unsealed(db) == other
    assert statuses(stranger(api)) == {401}


def test_a_stranger_is_asked_for_patience_while_the_lists_are_behind_the_tree(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old game could be among what is not listed yet."""
    monkeypatch.setattr("service.api.context.READ_MODEL_WAIT", 0.05)
    context = api.app.context
    api.stop_thread("projector")
    old = unsealed(api, api.play("+?gola", "-"))
    context.tree.grow()
    answer = stranger(api).get("/v1/tree/checkpoint")
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/rebuilding")
    assert statuses(api) == {200}, "with a token it is read as ever"
    context.projector.catch_up()
    assert find_unsealed(context.archive.views.db) == old


def test_strangers_are_limited_as_they_are_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limiting, "WINDOW", 10**10)  # no window begins meanwhile
    app = create_app(Settings(data=tmp_path, tree="open", reads=3))
    try:
        found = [stranger(Api(app)).get("/v1/tree/checkpoint").status_code for _ in range(5)]
    finally:
        app.close()
    assert found == [200] * 3 + [429] * 2
