"""Streams of how far an analysis is. The tests do the workers' work, step by step, as there is no Redis."""

from __future__ import annotations

import json
import os
import signal
import threading
from contextlib import nullcontext, suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests import processes
from tests.service.cli.conftest import Kifu
from tests.service.live.test_streams import DEAL, NDJSON, SSE, Live, ends, ids, running
from workers.analyses import Analyses
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.service.live.test_streams import Stream

pytestmark = pytest.mark.programs


class Making:
    """An analysis of a game that a test makes."""

    def __init__(self, live: Live, folder: Path, game: str = "", seat: str = "public") -> None:
        self.live, self.game = live, game or live.open()
        if not game:
            live.record(self.game, DEAL)
        body = {"kind": "timeline", "seat": seat}
        self.path = live.api.post(f"/v1/games/{self.game}/analyses", json=body).raise_for_status().headers["Location"]
        self.id = self.path.rpartition("/")[2]
        self.results = Results(folder / "data")
        self.analyses = Analyses(self.results)

    def tell(self, done: int, so_far: Any = None) -> None:
        self.analyses.record_progress(self.id, done, 10, so_far)

    def finish(self, result: Any) -> None:
        self.analyses.finish(self.id, result)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.live.api.get(self.path).raise_for_status().json()
        return found

    def stream(self, accept: str = SSE, *, after: object = None, **more: Any) -> Stream:
        query = "" if after is None else f"?last_event_id={after}"
        return self.live.follow(f"{self.path}/stream{query}", accept, **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("making")


@pytest.fixture(scope="module")
def live(folder: Path) -> Iterator[Live]:
    """A service with workers that cannot work."""
    with running(folder, KIFU_REDIS_URL="redis://127.0.0.1:1") as service:
        yield service


@pytest.fixture
def making(live: Live, folder: Path) -> Iterator[Making]:
    made = Making(live, folder)
    yield made
    made.results.close()


@pytest.mark.parametrize("accept", [SSE, NDJSON])
@pytest.mark.slow
def test_an_analysis_is_told_as_its_state_is_answered_until_it_has_ended(making: Making, accept: str) -> None:
    with making.stream(accept) as stream:
        assert (stream.status, stream.headers["Content-Type"].partition(";")[0]) == (200, accept)
        found = [stream.next()]
        for step in (lambda: making.tell(2), lambda: making.tell(5, ["half"]), lambda: making.finish({"all": 1})):
            step()
            found += stream.take(1)
            assert found[-1]["analysis"] == making.state()
        assert list(stream) == [], "it ends with the analysis"
    assert [event["event"] for event in found] == ["progress", "progress", "progress", "ended"]
    assert [event["analysis"]["done"] for event in found[:3]] == [0, 2, 5]
    assert {event["game"] for event in found} == {making.game}
    assert found[-1]["analysis"]["result"] == {"all": 1}


@pytest.mark.programs
def test_what_is_known_so_far_is_told_though_no_piece_more_is_done(making: Making) -> None:
    making.tell(5)
    with making.stream() as stream:
        assert stream.next()["analysis"]["result"] is None
        making.tell(5, ["so far"])
        assert stream.next()["analysis"]["result"] == ["so far"]


@pytest.mark.parametrize("how", ["cancelled", "failed"])
def test_an_analysis_that_comes_to_nothing_ends_its_stream_and_can_be_followed_again(making: Making, how: str) -> None:
    with making.stream() as stream:
        stream.next()
        if how == "cancelled":
            making.live.api.delete(making.path).raise_for_status()
        else:
            making.analyses.fail(making.id, "it broke")
        found = list(stream)
    assert [(event["event"], event["analysis"]["status"]) for event in found] == [("ended", how)]
    making.live.api.post(f"/v1/games/{making.game}/analyses", json={"kind": "timeline", "seat": "public"})
    with making.stream(after=found[0]["id"]) as stream:
        assert stream.next()["analysis"]["status"] == "waiting"


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_new_connection_gets_what_is_new_and_nothing_twice(making: Making, accept: str) -> None:
    with making.stream(accept) as stream:
        first = stream.next()
    with making.stream(accept, Last_Event_ID=str(first["id"])) as stream:
        making.tell(3)
        second = stream.next()
        assert second["analysis"]["done"] == 3
    making.finish({"all": 1})
    with making.stream(accept, after=second["id"]) as stream:
        (last,) = stream
    assert (last["event"], last["analysis"]["result"]) == ("ended", {"all": 1})
    for more in ({"after": last["id"]}, {"Last_Event_ID": str(last["id"])}):
        with making.stream(accept, **more) as stream:  # type: ignore[arg-type]
            assert stream.status == 204, "which tells a browser not to connect again"
    with making.stream(accept) as stream:
        assert list(stream) == [last], "whoever comes late is told how it ended"


def test_a_stream_process_that_is_killed_loses_no_progress(making: Making) -> None:
    live = making.live
    killed = live.until(lambda: processes.descendant_named("kifu-live", live.pid))
    with making.stream() as stream:
        first = stream.next()
        os.kill(killed, signal.SIGKILL)
        with suppress(ConnectionError, HTTPException):
            assert list(stream) == []
    making.tell(4)
    live.until(lambda: processes.descendant_named("kifu-live", live.pid) not in {0, killed})
    with making.stream(Last_Event_ID=str(first["id"])) as stream:
        assert stream.next()["analysis"]["done"] == 4


def test_a_revoked_token_ends_the_stream_of_an_analysis_and_no_other(making: Making) -> None:
    _, token, id_ = making.live.let_in("viewer")
    with making.stream(token=token) as stream, making.stream(token=None) as other:
        assert ids(stream.take(1)) == ids(other.take(1))
        making.live.api.delete(f"/v1/tokens/{id_}").raise_for_status()
        ends(stream)
        making.tell(1)
        assert other.next()["analysis"]["done"] == 1
    with making.stream(token=token) as stream:
        assert (stream.status, stream.problem()["type"]) == (401, "token-unknown")


def test_a_stream_ends_without_a_message_when_its_right_is_gone(making: Making) -> None:
    with making.stream(token=None) as stream:
        stream.next()
        making.live.show(making.game, "private")
        making.finish({"all": 1})
        ends(stream)
    with making.stream(token=None, Last_Event_ID="7") as stream:
        assert stream.status == 204


def test_players_follow_analyses_of_their_own_viewpoints_only(live: Live, folder: Path) -> None:
    making = Making(live, folder, seat="0")
    record = Making(live, folder, making.game, "record")
    person, seated, _ = live.let_in(game=making.game, seats=[0])
    with making.stream(token=None) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "analysis-unknown")
    with making.stream(token=None, Last_Event_ID="7") as stream:
        assert stream.status == 204
    with record.stream(token=seated) as stream:
        assert (stream.status, stream.problem()["type"]) == (404, "analysis-unknown")
    with making.stream(token=seated) as stream, record.stream() as whole:
        assert stream.next()["analysis"]["viewpoint"] == "seat-0"
        assert whole.next()["analysis"]["viewpoint"] == "record"
        live.api.put(f"/v1/games/{making.game}/roles/{person}", json={"seats": [1]}).raise_for_status()
        ends(stream)
        record.analyses.fail(record.id, "it broke at entry 2")
        assert whole.next()["analysis"]["cause"] == "it broke at entry 2"
    record.results.close()
    making.results.close()


def test_only_readers_of_the_whole_record_learn_why_an_analysis_failed(making: Making) -> None:
    with making.stream(token=None) as stranger, making.stream() as owner:
        for stream in (stranger, owner):
            stream.next()
        making.analyses.fail(making.id, "GOLA is there twice")
        assert stranger.next()["analysis"]["cause"] == "it cannot be made"
        assert owner.next()["analysis"]["cause"] == "GOLA is there twice"


def test_a_share_link_follows_the_analyses_that_it_shows(making: Making) -> None:
    making.live.show(making.game, "private")
    made = making.live.api.post(f"/v1/games/{making.game}/links", json={"seat": "public"}).json()
    code = made["path"].rpartition("/")[2]
    with making.stream(token=None, Kifu_Share=code) as stream:
        assert stream.next()["analysis"]["viewpoint"] == "public"
        making.live.api.delete(f"/v1/games/{making.game}/links/{made['info']['id']}").raise_for_status()
        ends(stream)


def test_an_analysis_that_was_erased_with_a_word_of_its_game_is_gone(making: Making) -> None:
    making.live.note(making.game, "a word too much")
    with making.stream() as stream:
        stream.next()
        body = {"entry": 3, "what": "text"}
        making.live.api.post(f"/v1/games/{making.game}/erasures", json=body).raise_for_status()
        ends(stream)


def test_what_is_no_stream_of_an_analysis_is_refused_by_name(making: Making) -> None:
    game, live = making.game, making.live
    for path, status, name in (
        (f"/v1/games/{game}/analyses/{uuid7()}/stream", 404, "analysis-unknown"),
        (f"/v1/games/{uuid7()}/analyses/{making.id}/stream", 404, "game-unknown"),
        (f"/v1/games/{live.open()}/analyses/{making.id}/stream", 404, "analysis-unknown"),
        (f"{making.path}/stream?last_event_id=-1", 400, "bad-request"),
        (f"{making.path}/stream?seat=0", 400, "bad-request"),
    ):
        with live.follow(path) as stream:
            assert (stream.status, stream.problem()["type"]) == (status, name)
    with making.stream("application/pdf") as stream:
        assert stream.status == 406


def test_a_game_that_goes_on_tells_those_who_follow_its_analysis_nothing(making: Making) -> None:
    with making.stream() as stream, making.live.stream(making.game) as entries:
        stream.next()
        making.live.note(making.game)
        assert entries.next()["id"] == 3
        making.tell(1)
        assert stream.next()["analysis"]["done"] == 1


def test_the_command_follows_an_analysis_by_its_stream(
    making: Making, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kifu, seen, result = Kifu(tmp_path), list[tuple[Any, ...]](), list[str]()
    kifu.environment |= {"KIFU_URL": making.live.base, "KIFU_TOKEN": making.live.token}
    monkeypatch.setattr("service.cli.games.analyses.time", None)  # there is nothing to sleep for
    monkeypatch.setattr(
        "service.cli.shell.screen.part_of", lambda _: (nullcontext(), lambda *progress: seen.append(progress))
    )
    arguments = ("analyse", making.game, "--kind", "timeline", "--seat", "public", "--json")
    thread = threading.Thread(target=lambda: result.append(kifu(*arguments)))
    thread.start()
    making.live.until(lambda: (0, None) in seen)
    making.tell(3)
    making.live.until(lambda: (3, 10) in seen)
    making.finish({"all": 1})
    thread.join()
    assert [json.loads(text)["result"] for text in result] == [{"all": 1}]
