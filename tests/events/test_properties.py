"""The log against a model of it: any requests, in any order, retried, stale or after a restart."""

from __future__ import annotations

import shutil
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from events.canonical import canonical, digest, exported
from events.errors import BadEventError, IdReusedError, StaleVersionError
from events.event import NewEvent
from events.ndjson import parse_event
from tests.events.stores import Postgres, Sqlite

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
moves = st.builds(lambda move: {"move": move}, st.dictionaries(text, json, max_size=3))
days = st.datetimes().filter(lambda moment: moment.year > 1)  # in UTC, too
times = st.none() | days.map(lambda moment: moment.isoformat(timespec="milliseconds") + "+01:00")


class LogMachine(RuleBasedStateMachine):
    """Appends to a few games and keeps a list of what must be stored in each."""

    kind = Sqlite
    sent = Bundle("sent")

    @initialize()
    def open(self):
        self.folder = Path(tempfile.mkdtemp())
        self.store = self.kind()
        self.place = self.store.place(self.folder)
        self.clock = 1_700_000_000_000
        self.log = self.store.log(self.place, clock=lambda: self.clock)
        self.games = [f"018f0000-0000-7000-8000-00000000000{number}" for number in range(3)]
        self.model: dict[str, list[NewEvent]] = {game: [] for game in self.games}
        self.answers = {}
        self.count = 0

    def event(self, game, data, happened_at):
        self.count += 1
        event_id = f"018f0000-0000-7000-9000-{self.count:012x}"
        if not self.model[game]:
            return NewEvent(id=event_id, type="game.opened", data={"ruleset": "k", "revision": 1, "seats": [{}]})
        return NewEvent(id=event_id, type="move.made", data=data, happened_at=happened_at)

    @rule(target=sent, number=st.integers(0, 2), data=moves, happened_at=times, more=st.lists(moves, max_size=3))
    def append(self, number, data, happened_at, more):
        game = self.games[number]
        expected = len(self.model[game])
        events = [self.event(game, data, happened_at)]
        self.model[game] += events
        rest = [self.event(game, other, None) for other in more]
        self.model[game] += rest
        appended = self.log.append(game, [*events, *rest], expected=expected, recorder="owner")
        assert appended.new == len(events) + len(rest)
        self.answers[game, expected, len(appended.events)] = appended.events
        return game, expected, [*events, *rest]

    @rule(request=sent)
    def retry(self, request):
        game, expected, events = request
        again = self.log.append(game, events, expected=expected, recorder="another")
        assert again.new == 0
        assert again.events == self.answers[game, expected, len(events)]

    @rule(request=sent, data=moves)
    def reuse(self, request, data):
        game, expected, (event, *_) = request
        changed = NewEvent(id=event.id, type="move.made", data={"move": {**data["move"], "changed": True}})
        with pytest.raises((IdReusedError, BadEventError)):
            self.log.append(game, [changed], expected=expected, recorder="owner")

    @rule(number=st.integers(0, 2), behind=st.integers(1, 5), data=moves)
    def stale(self, number, behind, data):
        game = self.games[number]
        head = len(self.model[game])
        if head <= behind:
            return
        with pytest.raises(StaleVersionError) as stale:
            self.log.append(game, [self.event(game, data, None)], expected=head - behind, recorder="owner")
        assert [event.id for event in stale.value.missed] == [event.id for event in self.model[game][head - behind :]]

    @rule(step=st.integers(-5000, 5000))
    def turn_the_clock(self, step):
        self.clock += step

    @rule()
    def reopen(self):
        self.log.close()
        self.log = self.store.log(self.place, clock=lambda: self.clock)
        assert dict(self.log.damage) == {}
        assert getattr(self.log, "warnings", []) == []

    @invariant()
    def what_is_stored_is_what_was_sent(self):
        if not hasattr(self, "log"):
            return
        fed = [event for _, event in self.log.feed()]
        assert len(fed) == sum(map(len, self.model.values()))
        for game, sent in self.model.items():
            stored = [event for event in fed if event.game == game]
            if sent:
                assert list(self.log.read(game)) == stored
                assert self.log.head(game).version == len(sent)
            for version, (event, new) in enumerate(zip(stored, sent, strict=True), 1):
                assert (event.version, event.id, event.type, event.data) == (version, new.id, new.type, new.data)
                assert event.happened_at == new.happened_at
                assert digest(canonical(event)) == event.hash
                assert parse_event(exported(event)) == event
            assert all(one.recorded_at <= two.recorded_at for one, two in pairwise(stored))

    def teardown(self):
        if hasattr(self, "log"):
            self.log.close()
            assert self.store.verify(self.place).sound
            self.store.clean()
            shutil.rmtree(self.folder)


TestLog = pytest.mark.slow(LogMachine.TestCase)
TestLog.settings = settings(max_examples=6, stateful_step_count=20)


class PostgresMachine(LogMachine):
    """The same in PostgreSQL."""

    kind = Postgres


@pytest.mark.usefixtures("postgres")
class TestLogInPostgres(PostgresMachine.TestCase):
    settings = settings(max_examples=3, stateful_step_count=20)


@pytest.mark.soak
class TestLogAtLength(LogMachine.TestCase):
    settings = settings(max_examples=1000, stateful_step_count=60)


@pytest.mark.soak
@pytest.mark.usefixtures("postgres")
class TestLogInPostgresAtLength(PostgresMachine.TestCase):
    settings = settings(max_examples=300, stateful_step_count=60)
