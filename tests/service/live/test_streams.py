"""Streams and long polls, over real connections to a running service."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
from uuid_utils import uuid7

from service.app import create_app
from service.settings import Settings
from tests import processes
from tests.plain_http import PLAIN
from tests.served import PATIENCE, Service, serve
from tests.service.conftest import Api
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.programs

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
DEAL = "deal black BARI COCO DUDA"
HIDDEN, SECRET = "+?gola", "GOLA"
"""A card that is drawn from the pile, and nobody but who drew it sees, as the rules have it."""


class Stream:
    """A stream that is read event by event."""

    def __init__(self, base: str, path: str, accept: str = SSE, **headers: str) -> None:
        host, _, port = base.removeprefix("http://").partition(":")
        self.connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        sent = {"Accept": accept} | {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", path, headers=sent)
        self.answer = self.connection.getresponse()
        self.status, self.headers = self.answer.status, self.answer.headers
        self.form = accept

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The events until the end, each with the fields that it came with."""
        fields: dict[str, str] = {}
        for line in self.answer:
            text = line.decode().rstrip("\n")
            if self.form == NDJSON:
                if text:
                    yield json.loads(text)
            elif text:
                name, _, value = text.partition(": ")
                fields[name] = value
            elif fields:
                if "data" in fields:
                    result = json.loads(fields["data"])
                    assert result["event"] == fields["event"]
                    assert str(result.get("id", "")) == fields.get("id", "")
                    yield result
                fields = {}

    def take(self, count: int) -> list[dict[str, Any]]:
        """The next events."""
        return [event for _, event in zip(range(count), self, strict=False)]

    def next(self) -> dict[str, Any]:
        """The next event."""
        return next(iter(self))

    def problem(self) -> dict[str, Any]:
        """What was answered in place of a stream."""
        assert self.headers["Content-Type"] == "application/problem+json"
        result: dict[str, Any] = json.loads(self.answer.read())
        return result | {"type": result["type"].removeprefix("/problems/")}

    def close(self) -> None:
        self.answer.close()
        self.connection.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Told(NamedTuple):
    """How often a lag was measured, and how many entries were told."""

    lags: float
    entries: float


class Live(Service):
    """A running service that is listened to."""

    def __enter__(self) -> Live:
        self.api.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.api.close()

    def follow(self, path: str, accept: str = SSE, *, token: str | None = "", **headers: str) -> Stream:
        """A stream, by the owner's token unless another one is given, or none."""
        token = self.token if token == "" else token
        return Stream(self.base, path, accept, **({"Authorization": f"Bearer {token}"} if token else {}), **headers)

    def stream(self, game: str, accept: str = SSE, *, after: object = None, **more: Any) -> Stream:
        query = "" if after is None else f"?last_event_id={after}"
        return self.follow(f"/v1/games/{game}/stream{query}", accept, **more)

    def played(self, *, visibility: str = "public") -> str:
        """A game in which cards were dealt."""
        game = self.open()
        self.record(game, DEAL)
        return self.show(game, visibility)

    def note(self, game: str, text: str = "a note") -> None:
        self.add(game, {"type": "note.added", "data": {"text": text}})

    def let_in(self, role: str | None = None, *, game: str | None = None, **said: Any) -> tuple[str, str, str]:
        """Somebody with a role on the service, or what is said of them in a game: person, token, its id."""
        person = str(uuid7())
        path = f"/v1/games/{game}/roles/{person}" if game else f"/v1/roles/{person}"
        if role or said:
            self.api.put(path, json={"role": role} if role else said).raise_for_status()
        made = self.api.post("/v1/tokens", json={"name": "a phone", "person": person}).raise_for_status().json()
        return person, made["token"], made["info"]["id"]

    def timeline(self, game: str, token: str | None, query: str = "") -> list[dict[str, Any]]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.get(f"{self.base}/v1/games/{game}/timeline?limit=1000{query}", headers=headers, verify=PLAIN)
        found: list[dict[str, Any]] = answer.raise_for_status().json()["entries"]
        return found

    def metric(self, name: str) -> float:
        lines = self.api.get("/metrics").raise_for_status().text.splitlines()
        return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))

    @property
    def told(self) -> Told:
        """What is counted of what the streams told."""
        return Told(self.metric("kifu_streams_lag_seconds_count"), self.metric("kifu_streams_entries_total"))

    until = staticmethod(until)


@contextmanager
def running(folder: Path, **settings: str) -> Iterator[Live]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ({"KIFU_READS": "0", "KIFU_WRITES": "0", "KIFU_GUESSES": "0"} | settings).items():
            patch.setenv(name, value)
        with serve(folder) as service, Live(service.base, service.token, service.folder, service.pid) as live:
            yield live


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that the tests of this file share."""
    with running(tmp_path_factory.mktemp("live")) as service:
        yield service


def ids(events: list[dict[str, Any]]) -> list[int]:
    return [event["id"] for event in events]


# What is told


@pytest.mark.parametrize("accept", [SSE, NDJSON])
@pytest.mark.programs
def test_a_stream_tells_each_entry_as_the_timeline_has_it(live: Live, accept: str) -> None:
    game = live.open()
    with live.stream(game, accept) as stream:
        assert stream.status == 200
        assert stream.headers["Content-Type"].partition(";")[0] == accept
        assert stream.headers["Kifu-Last-Event-ID"] == "1"
        live.record(game, DEAL)
        live.note(game)
        result = stream.take(2)
    assert [event["entry"] for event in result] == live.timeline(game, live.token)[1:]
    assert [event["event"] for event in result] == ["entry", "entry"]
    assert ids(result) == [2, 3]
    assert {event["game"] for event in result} == {game}


def test_the_entry_that_closes_the_record_has_an_event_of_its_own_and_the_stream_goes_on(live: Live) -> None:
    game = live.played()
    with live.stream(game) as stream:
        live.add(game, {"type": "game.closed", "data": {"how": "abandoned", "reason": "dinner"}})
        live.add(game, {"type": "game.reopened", "data": {"reason": "after dinner"}})
        result = stream.take(2)
    assert [(event["event"], event["entry"]["type"]) for event in result] == [
        ("closed", "game.closed"),
        ("entry", "game.reopened"),
    ]


def test_names_are_told_as_they_are_now_and_erased_ones_not(live: Live) -> None:
    game = live.open("Carla", "Dan")
    person = live.api.get("/v1/players?q=Dan").json()["players"][-1]["id"]
    live.add(game, {"type": "seat.changed", "data": {"seat": 0, "player": person}})
    with live.stream(game, after=1) as stream:
        assert stream.next()["people"][person] == "Dan"
    live.api.delete(f"/v1/players/{person}").raise_for_status()
    with live.stream(game, after=1) as stream:
        assert person not in stream.next()["people"]


def test_what_was_erased_is_told_no_more(live: Live) -> None:
    game = live.played()
    live.note(game, "a word too much")
    live.add(game, {"type": "entry.withdrawn", "data": {"entry": 3, "reason": "another word too much"}})
    with live.stream(game, after="earliest") as stream:
        assert "too much" in json.dumps(stream.take(4))
    for entry in (3, 4):
        body = {"entry": entry, "what": "text"}
        live.api.post(f"/v1/games/{game}/erasures", json=body).raise_for_status()
    with live.stream(game, after="earliest") as stream:
        assert "too much" not in json.dumps(stream.take(4))


# Resuming


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_resumes_after_any_id_without_gap_or_double(live: Live, accept: str) -> None:
    game = live.played()
    for _ in range(4):
        live.note(game)
    for after in range(7):
        with live.stream(game, accept, after=after) as stream:
            assert stream.headers["Kifu-Last-Event-ID"] == (str(after) if after else "earliest")
            assert ids(stream.take(6 - after)) == list(range(after + 1, 7))
    live.note(game)


def test_the_header_counts_before_the_query(live: Live) -> None:
    game = live.played()
    live.note(game)
    with live.stream(game, after="earliest", Last_Event_ID="2") as stream:
        assert stream.next()["id"] == 3


def test_a_browser_that_never_saw_an_event_resumes_where_it_began(live: Live) -> None:
    """The id comes before the first event, so that what is recorded while it connects again is not missed."""
    game = live.played()
    with live.stream(game) as stream:
        lines = [stream.answer.readline() for _ in range(3)]
    assert lines[0].startswith(b"retry: ")
    assert lines[1:] == [b"id: 2\n", b"\n"]


def test_long_records_are_told_whole(live: Live) -> None:
    game = live.played()
    live.add(game, *({"type": "note.added", "data": {"text": f"note {n}"}} for n in range(400)))
    with live.stream(game, NDJSON, after="earliest") as stream:
        assert ids(stream.take(402)) == list(range(1, 403))


def test_a_listener_who_comes_and_goes_misses_nothing_and_gets_nothing_twice(live: Live) -> None:
    game, count = live.played(), 60
    chance = random.Random(7)

    def record() -> None:
        for _ in range(count):
            live.note(game)

    found: list[int] = []
    recording = threading.Thread(target=record)
    recording.start()
    while len(found) < count:
        accept = chance.choice([SSE, NDJSON])
        with live.stream(game, accept, after=found[-1] if found else 2) as stream:
            found += ids(stream.take(min(chance.randrange(1, 9), count - len(found))))
    recording.join()
    assert found == list(range(3, count + 3))


def test_a_burst_is_told_to_many_in_order_and_once(live: Live) -> None:
    game = live.played()
    with ExitStack() as stack:
        streams = [stack.enter_context(live.stream(game)) for _ in range(40)]
        for _ in range(10):
            live.add(game, *({"type": "note.added", "data": {"text": "n"}} for _ in range(10)))
        for stream in streams:
            assert ids(stream.take(100)) == list(range(3, 103))


@pytest.mark.parametrize(
    "text", ["x", "-1", "1.5", "0x1", " 1", "1 ", "9" * 17, "9007199254740993", "v2", "null", "١", "1\t2"]
)
@pytest.mark.parametrize("place", ["header", "query"])
def test_an_id_that_is_none_is_refused_by_name(live: Live, text: str, place: str) -> None:
    game = live.played()
    for path in (f"/v1/games/{game}/stream", "/v1/stream"):
        if place == "query":
            answer = live.api.get(path, params={"last_event_id": text}, headers={"Accept": SSE})
        else:
            sent = {b"Accept": SSE.encode(), b"Last-Event-ID": text.encode()}
            if text != text.strip():  # blanks around a header's value are no part of it
                continue
            answer = live.api.get(path, headers=sent)  # type: ignore[arg-type]
        assert answer.status_code == 400, answer.text
        problem = answer.json()
        assert problem["type"] == "/problems/bad-request"
        assert problem["errors"][0]["field"] == ("last_event_id" if place == "query" else "Last-Event-ID")


def test_an_id_that_the_log_has_not_reached_is_answered_with_gone(live: Live) -> None:
    """The log was put back from a backup. A 404 ends a browser's stream for good, and no handler is told why."""
    game = live.played()
    everything = f"/v1/stream?last_event_id={2**50}"
    for path in (f"/v1/games/{game}/stream?last_event_id=50", f"/v1/games/{game}/stream", everything, "/v1/stream"):
        sent = {} if "=" in path else {"Last-Event-ID": str(2**50)}
        result = live.api.get(path, headers=sent | {"Accept": SSE})
        assert (result.status_code, result.headers["Cache-Control"]) == (200, "no-store")
        forgets, event, data = result.text.strip().split("\n")
        assert (forgets, event) == ("id", "event: gone"), "the browser asks without that id from then on"
        assert "load the record again" in data
        (line,) = live.api.get(path, headers=sent | {"Accept": NDJSON}).text.splitlines()
        assert json.loads(line)["event"] == "gone"


def test_what_is_no_stream_is_said_before_one_begins(live: Live) -> None:
    game = live.played()
    for query in ("?seat=9", "?seat=x", "?last_event_id=1&last_event_id=2", "?after=1"):
        with live.follow(f"/v1/games/{game}/stream{query}") as stream:
            assert (stream.status, stream.problem()["type"]) == (400, "bad-request")
    with live.stream(str(uuid7())) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "game-unknown")
    with live.stream(game, "application/pdf") as stream:
        assert (stream.status, stream.problem()["type"]) == (406, "not-acceptable")
    assert live.api.post(f"/v1/games/{game}/stream").status_code == 405
    head = live.api.head(f"/v1/games/{game}/stream", headers={"Accept": SSE})
    assert (head.status_code, head.headers["Kifu-Last-Event-ID"]) == (200, "2")


# Who may see what, now


def test_everybody_is_told_what_they_may_know_with_any_of_their_ids(live: Live) -> None:
    """Ids are the same for all; what follows them is not."""
    game = live.open()
    live.record(game, DEAL, HIDDEN)
    live.show(game)
    _, token, _ = live.let_in(game=game, seats=[1])
    for whose in (live.token, token, None):
        with live.stream(game, after="earliest", token=whose) as stream:
            found = [event["entry"] for event in stream.take(3)]
        assert found == live.timeline(game, whose)
    with live.stream(game, after=2, token=live.token) as stream:
        assert SECRET in json.dumps(stream.next())
    for whose in (token, None):
        with live.stream(game, after=2, token=whose) as stream:
            assert SECRET not in json.dumps(stream.next())
    with live.follow(f"/v1/games/{game}/stream?seat=public&last_event_id=2") as stream:
        assert SECRET not in json.dumps(stream.next())
    with live.follow(f"/v1/games/{game}/stream?seat=0", token=token) as stream:
        assert (stream.status, stream.problem()["type"]) == (403, "scope-needed")


def ends(stream: Stream) -> None:
    """The stream says that it is gone, and ends."""
    found = list(stream)
    assert [event["event"] for event in found] == ["gone"]
    assert found[0]["why"]


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_revoked_token_ends_its_stream_and_no_other(live: Live, accept: str) -> None:
    game = live.played()
    _, token, id_ = live.let_in("viewer")
    _, other, _ = live.let_in("viewer")
    with live.stream(game, accept, token=token) as stream, live.stream(game, token=other) as another:
        live.api.delete(f"/v1/tokens/{id_}").raise_for_status()
        ends(stream)
        live.note(game)
        assert another.next()["id"] == 3
    with live.stream(game, accept, token=token, Last_Event_ID="2") as stream:
        assert (stream.status, stream.problem()["type"]) == (401, "token-unknown")


def test_what_is_recorded_right_after_a_token_was_revoked_is_not_told_to_it(live: Live) -> None:
    game = live.played(visibility="private")
    for _ in range(5):
        _, token, id_ = live.let_in("viewer")
        with live.stream(game, token=token) as stream, live.follow("/v1/stream", token=token) as of_all:
            live.api.delete(f"/v1/tokens/{id_}").raise_for_status()
            live.note(game)
            ends(stream)
            ends(of_all)


def test_a_game_that_is_made_private_is_gone_for_strangers(live: Live) -> None:
    game = live.played()
    with live.stream(game, token=None) as stream, live.stream(game) as own:
        live.show(game, "private")
        live.note(game)
        ends(stream)
        assert own.next()["id"] == 3
    with live.stream(game, token=None) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "game-unknown")
    with live.stream(game, token=None, Last_Event_ID="2") as stream:
        assert stream.status == 204, "which tells a browser not to connect again"
    with live.stream(str(uuid7()), token=None, Last_Event_ID="2") as stream:
        assert stream.status == 204, "as if there were no such game"


def test_another_role_ends_the_stream_which_goes_on_from_there(live: Live) -> None:
    game = live.open()
    live.record(game, DEAL)
    live.show(game, "private")
    person, token, _ = live.let_in(game=game, role="recorder")
    with live.stream(game, token=token) as stream:
        live.api.put(f"/v1/games/{game}/roles/{person}", json={"role": "viewer"}).raise_for_status()
        ends(stream)
    live.record(game, HIDDEN)
    with live.stream(game, token=token, Last_Event_ID="2") as stream:
        assert SECRET not in json.dumps(stream.next())
        live.api.delete(f"/v1/games/{game}/roles/{person}").raise_for_status()
        ends(stream)


def test_a_player_who_leaves_their_seat_is_told_no_more_of_its_cards(live: Live) -> None:
    game = live.open()
    live.record(game, DEAL)
    person, token, _ = live.let_in()
    live.add(game, {"type": "seat.changed", "data": {"seat": 0, "player": person}})
    live.catch_up()
    with live.stream(game, token=token) as stream:
        assert stream.status == 200
        live.add(game, {"type": "seat.changed", "data": {"seat": 0, "player": str(uuid7())}})
        ends(stream)
    live.catch_up()
    live.record(game, HIDDEN)
    with live.stream(game, token=token, Last_Event_ID="4") as stream:
        assert SECRET not in json.dumps(stream.next())


def test_a_session_follows_by_its_cookie_and_is_told_to_stop_when_it_ended(live: Live) -> None:
    game = live.played(visibility="private")
    _, token, _ = live.let_in("viewer")
    (cookie,) = httpx.post(f"{live.base}/login", data={"token": token}, verify=PLAIN).cookies.jar
    sent = {"Cookie": f"{cookie.name}={cookie.value}"}
    with live.stream(game, token=None, **sent) as stream:
        live.note(game)
        assert stream.next()["id"] == 3
        httpx.post(f"{live.base}/logout", headers=sent | {"Origin": live.base}, verify=PLAIN)
        ends(stream)
    with live.stream(game, token=None, Last_Event_ID="3", **sent) as stream:
        assert stream.status == 204


def test_a_share_link_follows_its_game_from_its_point_of_view_until_it_is_revoked(live: Live) -> None:
    game = live.open()
    live.record(game, DEAL)
    made = live.api.post(f"/v1/games/{game}/links", json={"seat": "public", "name": "the club"}).json()
    code = made["path"].rpartition("/")[2]
    with (
        live.follow(f"/s/{code}/stream", token=None) as page,
        live.stream(game, token=None, Kifu_Share=code) as program,
    ):
        live.record(game, HIDDEN)
        for stream in (page, program):
            assert stream.status == 200
            result = stream.next()
            assert result["id"] == 3
            assert SECRET not in json.dumps(result)
        live.api.delete(f"/v1/games/{game}/links/{made['info']['id']}").raise_for_status()
        ends(page)
        ends(program)
    with live.follow(f"/s/{code}/stream", token=None, Last_Event_ID="3") as stream:
        assert stream.status == 204
    with live.follow(f"/s/{code}/stream", token=None) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "not-found")


def test_a_link_to_one_moment_does_not_go_on(live: Live) -> None:
    game = live.played(visibility="private")
    made = live.api.post(f"/v1/games/{game}/links", json={"seat": "public", "at": 1}).json()
    code = made["path"].rpartition("/")[2]
    with live.follow(f"/s/{code}/stream", token=None) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "not-found")
    with live.stream(game, token=None, Kifu_Share=code) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "game-unknown")


# All games


def test_the_stream_of_all_games_tells_of_those_that_one_may_list(live: Live) -> None:
    private, linked, public = (live.played(visibility=level) for level in ("private", "link", "public"))
    _, viewer, _ = live.let_in("viewer")
    _, seated, _ = live.let_in(game=linked, seats=[0])
    last = live.played()
    expected = {
        live.token: [private, linked, public, last],
        viewer: [private, linked, public, last],
        seated: [linked, public, last],
        None: [public, last],
    }
    for token, games in expected.items():
        with live.follow("/v1/stream", token=token) as stream:
            for game in (private, linked, public, last):
                live.note(game)
            result = stream.take(len(games))
        assert [event["game"] for event in result] == games
        assert ids(result) == sorted(ids(result))


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_the_stream_of_all_games_resumes_without_gap_or_double(live: Live, accept: str) -> None:
    start = live.api.get("/v1/health").json()["position"]
    games = [live.played() for _ in range(3)]
    for _ in range(4):
        for game in games:
            live.note(game)
    with live.follow(f"/v1/stream?last_event_id={start}", accept) as stream:
        whole = stream.take(18)
    assert ids(whole) == list(range(start + 1, start + 19))
    for at in (0, 5, 16):
        with live.follow("/v1/stream", accept, Last_Event_ID=str(ids(whole)[at])) as stream:
            assert stream.take(17 - at) == whole[at + 1 :]


def test_the_stream_of_all_games_shows_each_from_where_one_may_see_it(live: Live) -> None:
    own, other = live.open(), live.open()
    _, token, _ = live.let_in(game=own, role="recorder")
    for game in (own, other):
        live.record(game, DEAL)
    with live.follow("/v1/stream", token=token) as stream:
        for game in (own, other):
            live.record(game, HIDDEN)
        result = stream.take(2)
    assert [SECRET in json.dumps(event) for event in result] == [True, False]


# Many, and slow ones


def test_streams_beyond_the_limits_are_refused_and_leave_room(tmp_path: Path) -> None:
    with running(tmp_path, KIFU_STREAMS="5", KIFU_STREAMS_EACH="2") as live, ExitStack() as stack:
        game = live.played()
        _, token, _ = live.let_in("viewer")

        def refused(whose: str | None) -> None:
            with live.stream(game, token=whose, Accept_Language="ja") as stream:
                assert stream.status == 503
                assert int(stream.headers["Retry-After"]) > 0
                result = stream.problem()
                assert (result["type"], result["title"]) == ("overloaded", "サービスが混み合っています")
                assert result["detail"].startswith(("配信は 5 本すべて", "一つのトークン"))

        mine = [stack.enter_context(live.stream(game, token=token)) for _ in range(2)]
        refused(token)
        for _ in range(2):
            stack.enter_context(live.stream(game, token=None))
        refused(None)
        assert stack.enter_context(live.stream(game)).status == 200, "the owner's are not counted, but for all"
        refused(live.token)
        assert live.metric("kifu_streams_open") == 5
        assert live.metric("kifu_streams_refused_total") == 3
        mine[0].close()
        live.until(lambda: live.metric("kifu_streams_open") == 4)
        stack.enter_context(live.stream(game, token=token))
        live.note(game)
        assert mine[1].next()["id"] == 3


def test_health_and_metrics_know_the_streams(live: Live) -> None:
    game = live.played()
    live.until(lambda: live.api.get("/v1/health").json()["streams"] == 0)
    told = live.told
    with live.stream(game, after=1) as stream:
        up_to_date(live, [stream], told.entries)
        live.until(lambda: live.api.get("/v1/health").json()["streams"] == live.metric("kifu_streams_open") == 1)
        live.note(game)
        stream.next()
        live.until(lambda: live.told == Told(told.lags + 1, told.entries + 2))


def test_the_lag_of_an_entry_is_counted_once_however_many_listen(live: Live) -> None:
    game = live.played()
    live.until(lambda: live.api.get("/v1/health").json()["streams"] == 0)
    with ExitStack() as stack:
        told = live.told
        streams = [stack.enter_context(live.stream(game, after=1)) for _ in range(10)]
        up_to_date(live, streams, told.entries)
        live.note(game)
        assert {stream.next()["id"] for stream in streams} == {3}
        live.until(lambda: live.told.entries == told.entries + 20)
        assert live.told.lags == told.lags + 1


def up_to_date(live: Live, streams: list[Stream], told: float) -> None:
    """Wait until these streams have the entry that was there before them: no lag is counted for that."""
    assert {stream.next()["id"] for stream in streams} == {2}
    live.until(lambda: live.told.entries == told + len(streams))


def test_sixty_streams_leave_all_threads_to_others(live: Live) -> None:
    game = live.played()
    with ExitStack() as stack:
        streams = [stack.enter_context(live.stream(game, token=None)) for _ in range(60)]
        assert live.api.get(f"/v1/games/{game}").status_code == 200
        live.note(game)
        assert {stream.next()["id"] for stream in streams} == {3}


def test_who_reads_nothing_holds_up_nobody_and_has_it_all_afterwards(live: Live) -> None:
    """Perhaps not over the same connection, if that took too long."""
    game, count = live.played(), 1200
    slow = live.stream(game, NDJSON, after=2)
    with live.stream(game, after=2) as quick:
        for _ in range(count // 100):
            live.add(game, *({"type": "note.added", "data": {"text": "x" * 1900}} for _ in range(100)))
        assert ids(quick.take(count)) == list(range(3, count + 3))
    found: list[int] = []
    while len(found) < count:
        with slow, suppress(ValueError, ConnectionError):
            for event in slow:
                found.append(event["id"])
                if len(found) == count:
                    break
        slow = live.stream(game, NDJSON, after=found[-1])
    slow.close()
    assert found == list(range(3, count + 3))


# Long polls


def poll(live: Live, game: str, after: int, wait: object, **more: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {more.pop('token', live.token)}"}
    path = f"{live.base}/v1/games/{game}/events?after={after}&wait={wait}"
    return httpx.get(path, headers=headers, timeout=PATIENCE, verify=PLAIN, **more)


def test_a_long_poll_is_answered_at_once_by_what_there_is(live: Live) -> None:
    game = live.played()
    began = time.monotonic()
    assert [event["version"] for event in poll(live, game, 1, 30).json()["events"]] == [2]
    assert time.monotonic() - began < 20


def test_a_long_poll_is_answered_empty_when_its_time_is_up(live: Live) -> None:
    game = live.played()
    began = time.monotonic()
    answer = poll(live, game, 2, 1)
    assert (answer.status_code, answer.json()["events"]) == (200, [])
    assert time.monotonic() - began >= 1


def test_many_long_polls_take_no_threads_and_are_all_answered_by_an_entry(live: Live) -> None:
    game = live.played()
    found: list[list[int]] = []

    def wait() -> None:
        found.append([event["version"] for event in poll(live, game, 2, 30).json()["events"]])

    waiting = [threading.Thread(target=wait) for _ in range(40)]
    for thread in waiting:
        thread.start()
    live.until(lambda: live.metric("kifu_polls_waiting") == 40)
    began = time.monotonic()
    live.note(game)
    for thread in waiting:
        thread.join()
    assert found == [[3]] * 40
    assert time.monotonic() - began < 25, "none waited until its time was up"
    live.until(lambda: live.metric("kifu_polls_waiting") == 0)


def test_a_connection_goes_on_after_a_long_poll(live: Live) -> None:
    game = live.played()
    connection = http.client.HTTPConnection("127.0.0.1", int(live.base.rpartition(":")[2]), timeout=PATIENCE)
    for path in (f"/v1/games/{game}/events?after=2&wait=1", f"/v1/games/{game}"):
        connection.request("GET", path, headers={"Authorization": f"Bearer {live.token}"})
        answer = connection.getresponse()
        assert (answer.status, answer.will_close) == (200, False)
        answer.read()
    connection.close()


def test_a_long_poll_sees_the_rights_of_the_moment_when_it_is_answered(live: Live) -> None:
    game = live.played(visibility="private")
    _, token, id_ = live.let_in("recorder")
    answers: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: answers.append(poll(live, game, 2, 30, token=token)))
    thread.start()
    live.until(lambda: live.metric("kifu_polls_waiting") == 1)
    live.api.delete(f"/v1/tokens/{id_}").raise_for_status()
    live.note(game)
    thread.join()
    assert answers[0].status_code == 401


@pytest.mark.parametrize("wait", ["31", "-1", "x", "1.5", ""])
def test_a_wait_that_is_none_is_refused_by_name(live: Live, wait: str) -> None:
    answer = poll(live, live.played(), 2, wait)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "wait")


def test_a_long_poll_ends_when_the_client_hangs_up(live: Live) -> None:
    game = live.played()
    with suppress(httpx.ReadTimeout):
        httpx.get(
            f"{live.base}/v1/games/{game}/events?after=2&wait=30",
            headers={"Authorization": f"Bearer {live.token}"},
            timeout=0.5,
            verify=PLAIN,
        )
    hung_up = time.monotonic()
    live.until(lambda: live.metric("kifu_polls_waiting") == 0)
    assert time.monotonic() - hung_up < 20, "it waited to the end of its time"


def test_a_long_poll_of_somebody_who_sends_no_more_is_answered_at_once(live: Live) -> None:
    game = live.played()
    asked = (
        f"GET /v1/games/{game}/events?after=2&wait=30 HTTP/1.1\r\n"
        f"Host: localhost\r\nAuthorization: Bearer {live.token}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", int(live.base.rpartition(":")[2])), timeout=20) as client:
        client.sendall(asked.encode())
        client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200 "), answer


# Faults


def test_a_stream_process_that_is_killed_comes_back_and_all_go_on_without_gap_or_double(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        game, found = live.played(), {number: [2] for number in range(20)}
        for _ in range(2):
            killed = live.until(lambda: processes.descendant_named("kifu-live", live.pid))
            with ExitStack() as stack:
                streams = {
                    number: stack.enter_context(live.stream(game, Last_Event_ID=str(told[-1])))
                    for number, told in found.items()
                }
                live.note(game)
                for number, stream in streams.items():
                    found[number] += ids(stream.take(1))
                os.kill(killed, signal.SIGKILL)
                live.note(game)  # which needs none of it
                for number, stream in streams.items():
                    with suppress(ConnectionError, http.client.HTTPException):
                        found[number] += ids(list(stream))
            live.note(game)
        assert len(live.entries(game)) == 8
        for told in found.values():
            with live.stream(game, Last_Event_ID=str(told[-1])) as stream:
                assert told + ids(stream.take(8 - told[-1])) == list(range(2, 9))


@pytest.mark.parametrize("count", [60, pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(600)])])
def test_listeners_go_on_after_a_service_that_was_killed_without_gap_or_double(tmp_path: Path, count: int) -> None:
    """Killed with all its children, as by a power cut, and started again over the same folder."""
    found: dict[int, list[int]] = {number: [2] for number in range(count)}
    game = ""
    for at in range(2):
        with running(tmp_path, KIFU_STREAMS_EACH="0") as live, ExitStack() as stack:
            game = game or live.played()
            streams = {
                number: stack.enter_context(live.stream(game, token=None, Last_Event_ID=str(told[-1])))
                for number, told in found.items()
            }
            live.note(game)
            live.note(game)
            for number, stream in streams.items():
                assert stream.status == 200
                found[number] += ids(stream.take(1 + number % 2 if at == 0 else 4 - len(found[number]) + 1))
            os.kill(live.pid, signal.SIGKILL)
    for told in found.values():
        assert told == [2, 3, 4, 5, 6]


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_two_hundred_who_listen_while_a_service_is_stopped_and_started_again_have_all_of_it_once(
    tmp_path: Path,
) -> None:
    """They connect again by themselves, as browsers do, all at once, while somebody records."""
    restarts, listening, notes = 4, 200, 30
    found: dict[int, list[int]] = {number: [2] for number in range(listening)}
    base, game, over = "", "", threading.Event()

    def listen(number: int, accept: str) -> None:
        result = found[number]
        while result[-1] < 2 + restarts * notes and not over.is_set():
            with (
                suppress(OSError, http.client.HTTPException, ValueError),
                Stream(base, f"/v1/games/{game}/stream", accept, Last_Event_ID=str(result[-1])) as stream,
            ):
                result.extend(event["id"] for event in (stream if stream.status == 200 else ()))
            time.sleep(0.2)

    threads = [threading.Thread(target=listen, args=[number, (SSE, NDJSON)[number % 2]]) for number in found]
    for at in range(restarts):
        with running(tmp_path, KIFU_STREAMS_EACH="0") as live:
            base, game = live.base, game or live.played()
            for thread in threads if at == 0 else ():
                thread.start()
            live.until(lambda live=live: live.metric("kifu_streams_open") >= listening / 2)
            for _ in range(notes):
                live.note(game)
            if at == restarts - 1:
                live.until(lambda: all(result[-1] == 2 + restarts * notes for result in found.values()))
            elif at % 2:
                killed = live.until(lambda live=live: processes.descendant_named("kifu-web", live.pid))
                os.kill(killed, signal.SIGKILL)
    over.set()
    for thread in threads:
        thread.join()
    assert all(result == list(range(2, 3 + restarts * notes)) for result in found.values())


def test_a_stop_waits_for_none_of_two_hundred_listeners_and_long_polls(tmp_path: Path) -> None:
    with running(tmp_path, KIFU_STREAMS_EACH="0") as live, ExitStack() as stack:
        game = live.played()
        streams = [stack.enter_context(live.stream(game, token=None)) for _ in range(200)]
        assert {stream.status for stream in streams} == {200}
        answers: list[httpx.Response] = []
        polling = threading.Thread(target=lambda: answers.append(poll(live, game, 2, 30)))
        polling.start()
        live.until(lambda: live.metric("kifu_polls_waiting") == 1)
        began = time.monotonic()
        os.kill(live.pid, signal.SIGTERM)
        for stream in streams:
            assert list(stream) == []
        polling.join()
        live.until(lambda: live.pid not in processes.running_processes())
        assert time.monotonic() - began < 25, "none waited until its time was up"
        assert [answer.status_code for answer in answers] == [200]


def test_streams_tell_what_another_process_stored_in_postgresql(tmp_path: Path, database: str) -> None:
    """No news come of it."""
    there = create_app(Settings(data=tmp_path / "there", database_url=database))
    try:
        with running(tmp_path, KIFU_DATABASE_URL=database) as live:
            game = live.played()
            with live.stream(game) as stream, live.follow("/v1/stream") as of_all:
                live.note(game)
                note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "from elsewhere"}}
                assert Api(there).post(f"/v1/games/{game}/events", {"events": [note]}).status_code == 201
                assert ids(stream.take(2)) == [3, 4]
                assert [event["entry"]["version"] for event in of_all.take(2)] == [3, 4]
                answers: list[httpx.Response] = []
                polling = threading.Thread(target=lambda: answers.append(poll(live, game, 4, 30)))
                polling.start()
                live.until(lambda: live.metric("kifu_polls_waiting") == 1)
                note = note | {"id": str(uuid7())}
                assert Api(there).post(f"/v1/games/{game}/events", {"events": [note]}).status_code == 201
                polling.join()
                assert [event["version"] for event in answers[0].json()["events"]] == [5]
    finally:
        there.close()
