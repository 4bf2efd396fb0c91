"""Several who have one data folder: one leads, the others follow, and one of them takes over."""

from __future__ import annotations

import threading
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from projections.archive import Archive
from projections.projector import Projector
from projections.sharing import Leader
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_one_leads_and_another_one_takes_over_with_all_that_was_told(tmp_path: Path) -> None:
    with closing(Leader(tmp_path)) as two:
        with closing(Leader(tmp_path)) as one:
            assert one.leads
            assert not two.leads
            one.publish("lists", None)
            two.publish("lists", "nobody hears who does not lead")
            assert two.published_facts() == {"lists": None}
        assert two.leads
        assert two.published_facts() == {"lists": None}


def test_what_an_earlier_service_told_is_not_believed(tmp_path: Path) -> None:
    with closing(Leader(tmp_path)) as earlier:
        assert earlier.leads
        earlier.publish("lists", None)
    with closing(Leader(tmp_path)) as leader:
        assert leader.leads
        assert leader.published_facts() == {}


def test_what_is_asked_of_the_leader_is_done_once(tmp_path: Path) -> None:
    with closing(Leader(tmp_path)) as one, closing(Leader(tmp_path)) as two:
        assert one.leads
        two.request_repair("lists")
        two.request_repair("lists")
        assert [one.take_request("lists") for _ in range(2)] == [True, False]


@contextmanager
def running(projector: Projector) -> Iterator[Projector]:
    thread = threading.Thread(target=projector.run)
    thread.start()
    yield projector
    projector.stop()
    thread.join(PATIENCE)


def test_read_models_that_a_follower_comes_upon_to_be_damaged_are_made_anew_by_the_leader(tmp_path: Path) -> None:
    current = tmp_path / "views" / "current"
    with ExitStack() as stack:
        archive = stack.enter_context(Archive(tmp_path))
        one, two = (stack.enter_context(closing(Leader(tmp_path))) for _ in range(2))
        assert one.leads
        made = [Projector(archive.log, archive.folds, archive.views, leader=each) for each in (one, two)]
        assert not made[1].wait(0), "nobody has proved them yet"
        _, follower = (stack.enter_context(running(each)) for each in made)
        assert follower.wait(PATIENCE)
        before = current.read_text()
        follower.doubt("a row is not what was written")
        until(lambda: current.read_text() != before)
        assert follower.wait(PATIENCE)
