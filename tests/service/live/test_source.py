"""What is looked up for listeners, and for how long they may have it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from service.access.tables import ACCESS
from service.live import source as module
from service.live.source import EventSource, ListenerCursor, StreamPage
from service.server.orders import Subscription
from tests.service.entries import entry, send

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service.conftest import Api


@pytest.fixture
def source(api: Api, tmp_path: Path, database_url: str) -> Iterator[EventSource]:
    """A source beside the service."""
    del api
    with closing(EventSource(tmp_path / "data", database_url)) as made:
        yield made


def messages_of(page: StreamPage) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in page.content.splitlines()]


def wanted(api: Api, game: str | None, after: int = 0, viewpoint: str = "record") -> ListenerCursor:
    """What the owner wants of a game, or of all."""
    owner = api.get("/v1/token").get_json()["token"]["id"]
    return ListenerCursor(Subscription(game, credential=owner), viewpoint if game else "", "ndjson", after)


def alone(source: EventSource, want: ListenerCursor) -> StreamPage:
    return source.pages({want})[want]


def test_a_game_that_is_found_damaged_is_gone_and_the_others_go_on(api: Api, tmp_path: Path) -> None:
    damaged, sound = api.play("+"), api.play("+")
    with closing(sqlite3.connect(tmp_path / "data" / "kifu.db")) as db:
        for (trigger,) in db.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
            db.execute(f"drop trigger {trigger}")
        db.execute("update event set hash = zeroblob(32) where game = 1 and version = 2")
        db.commit()
    with closing(EventSource(tmp_path / "data")) as source:
        (gone,) = messages_of(alone(source, wanted(api, damaged)))
        assert (gone["event"], "cannot be read" in gone["why"]) == ("gone", True)
        assert len(messages_of(alone(source, wanted(api, sound)))) == 3
        of_all = messages_of(alone(source, wanted(api, None)))
        assert [line["entry"]["version"] for line in of_all if line["game"] == sound] == [1, 2, 3]
        assert [line for line in of_all if line["game"] == damaged and line["entry"]["version"] > 1] == []
        assert source.done_watches([(damaged, 1), (sound, 2), (sound, 3)]) >= {(sound, 2)}


def test_a_right_that_ends_by_itself_is_lost_then(api: Api, source: EventSource) -> None:
    game = api.play("+")
    guest = api.let_in("viewer")
    id_ = guest.get("/v1/token").get_json()["token"]["id"]
    want = ListenerCursor(Subscription(game, credential=id_), "public", "ndjson", 0)
    assert len(messages_of(alone(source, want))) == 3
    known = api.access.credential(id_)
    assert known is not None
    soon = time.time_ns() // 1_000_000 + 300
    with api.access._change() as db:
        api.access._rewrite(db, msgspec.structs.replace(known, ends=soon))
    while time.time_ns() // 1_000_000 <= soon:
        source.rights_changed()
        time.sleep(0.05)
    assert not source.rights_changed(), "nothing was written since"
    assert source.last_pages([want])[want].gone
    told_so = source.last_pages([want._replace(language="ja", form="ndjson")]).popitem()[1].content
    assert json.loads(told_so)["why"] == "ここで見られるものが変わりました。接続し直してください"
    assert alone(source, want).gone


def test_what_comes_after_rights_were_looked_at_is_not_told_by_them(
    api: Api, source: EventSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be forbidden by then to those who were allowed to see the others."""
    game = api.play("+")
    wants = {wanted(api, game), wanted(api, None)}
    renew = source._rights.renew

    def meanwhile() -> bool:
        changed = renew()
        assert send(api, game, entry("note.added", text="a secret")).status_code == 201
        return changed

    with monkeypatch.context() as patch:
        patch.setattr(source._rights, "renew", meanwhile)
        for page in source.pages(wants).values():
            assert [line["entry"]["version"] for line in messages_of(page)] == [1, 2, 3]
    for page in source.pages(wants).values():
        assert [line["entry"]["version"] for line in messages_of(page)] == [1, 2, 3, 4]


def test_a_change_that_an_entry_came_upon_first_is_still_looked_at_for_all(api: Api, source: EventSource) -> None:
    """Those who are told nothing have their rights looked at only when something changed."""
    game = api.play("+")
    source.rights_changed()
    api.show(game)
    alone(source, wanted(api, game))
    assert source.rights_changed()
    assert not source.rights_changed()


def test_a_message_for_many_listeners_is_built_once(
    api: Api, source: EventSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.play("+")
    api.show(game)
    calls: list[Any] = []
    real = module.timeline

    def counted(*arguments: Any, **more: Any) -> Any:
        calls.append(arguments)
        return real(*arguments, **more)

    monkeypatch.setattr(module, "timeline", counted)
    guests = [api.let_in("viewer").get("/v1/token").get_json()["token"]["id"] for _ in range(5)]
    wants = {ListenerCursor(Subscription(game, credential=id_), "public", "ndjson", 1) for id_ in guests}
    wants |= {want._replace(form="sse") for want in wants}
    pages = source.pages(wants)
    assert len({page.content for page in pages.values()}) == 2, "one a form"
    assert len(calls) == 1


def test_a_store_of_access_that_was_put_in_the_place_of_another_one_counts(
    api: Api, source: EventSource, tmp_path: Path
) -> None:
    game = api.play("+")
    api.show(game)
    want = ListenerCursor(Subscription(game), "public", "ndjson", 0)
    assert len(messages_of(alone(source, want))) == 3
    path = tmp_path / "data" / ACCESS.file
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(tmp_path / "copy")) as new:
        old.backup(new)
        new.execute("delete from visible")
        new.commit()
    shutil.copy(tmp_path / "copy", tmp_path / "new")
    for rest in ("-wal", "-shm"):
        path.with_name(ACCESS.file + rest).unlink(missing_ok=True)
    (tmp_path / "new").replace(path)
    assert alone(source, want).gone


def test_clubs_seasons_and_tournaments_are_told_to_those_who_see_them_at_that_moment(
    api: Api, source: EventSource
) -> None:
    member, stranger = api.let_in("viewer"), api.let_in("viewer")
    club, season, cup, hidden = (str(uuid7()) for _ in range(4))
    start = api.app.context.archive.log.position()

    def enter(kind: str, record: str, type_: str, **data: Any) -> None:
        body = {"id": str(uuid7()), "type": f"{kind}.{type_}", "data": data}
        assert api.post(f"/v1/{kind}s/{record}/entries", body).status_code == 201

    def told(who: Api) -> list[tuple[str, str, int]]:
        id_ = who.get("/v1/token").get_json()["token"]["id"]
        page = alone(source, ListenerCursor(Subscription(None, credential=id_), "", "ndjson", start))
        return [(line["event"], line["record"], line["version"]) for line in messages_of(page) if "record" in line]

    assert api.post("/v1/clubs", {"id": club, "name": "Club"}).status_code == 201
    enter("club", club, "member_joined", player=member.person)
    assert api.post("/v1/seasons", {"id": season, "name": "Autumn", "club": club}).status_code == 201
    assert api.post("/v1/tournaments", {"id": cup, "name": "Cup", "public": True}).status_code == 201
    assert api.post("/v1/clubs", {"id": hidden, "name": "Other"}).status_code == 201
    ours = [("club", club, 1), ("club", club, 2), ("season", season, 1), ("tournament", cup, 1)]
    assert told(api) == [*ours, ("club", hidden, 1)]
    assert told(member) == ours
    assert told(stranger) == [("tournament", cup, 1)]
    guest = ListenerCursor(Subscription(None), "", "ndjson", start)
    assert [line["record"] for line in messages_of(alone(source, guest))] == [cup]
    enter("club", club, "member_left", player=member.person)
    assert told(member) == [("tournament", cup, 1)], "also not of what was recorded before"


def test_an_entry_of_a_club_about_a_game_is_told_to_those_who_may_see_the_game(api: Api, source: EventSource) -> None:
    member, club, game = api.let_in(), str(uuid7()), api.play()
    assert api.post("/v1/clubs", {"id": club, "name": "Club"}).status_code == 201
    for type_, data in (("member_joined", {"player": member.person}), ("game_attached", {"game": game})):
        body = {"id": str(uuid7()), "type": f"club.{type_}", "data": data}
        assert api.post(f"/v1/clubs/{club}/entries", body).status_code == 201
    id_ = member.get("/v1/token").get_json()["token"]["id"]
    want = ListenerCursor(Subscription(None, credential=id_), "", "ndjson", 0)
    assert [line["version"] for line in messages_of(alone(source, want)) if "record" in line] == [1, 2]
    api.show(game)
    assert [line["version"] for line in messages_of(alone(source, want)) if "record" in line] == [1, 2, 3]


def test_what_is_told_of_all_comes_in_the_order_of_the_feed(api: Api, source: EventSource) -> None:
    club = str(uuid7())
    api.play()
    assert api.post("/v1/clubs", {"id": club, "name": "Club"}).status_code == 201
    api.play()
    lines = messages_of(alone(source, wanted(api, None)))
    assert [line["event"] == "club" for line in lines] == [line.get("record") == club for line in lines]
    ids = [line["id"] for line in lines]
    assert (ids, len(ids)) == (sorted(ids), len(set(ids)))
