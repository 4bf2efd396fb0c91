"""Facts about every sheet, with any entries in any order."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import transcript
from games.errors import ImpossibleError
from games.scoresheet import SCORESHEET
from games.scoresheet.describe import lines, side_name
from games.scoresheet.moves import Adjust, Decide, Enter, Finish, Give, Join, Leave, Line, Stop
from games.scoresheet.reading import most_beside, read_template
from games.scoresheet.ready import READY
from games.scoresheet.values import Sheet
from games.sketch import as_text
from tests import goldens, tiers
from tests.cases import cases
from tests.choosing import examples
from tests.games.replaying import assert_replayed_as_judged

SEATS = 4
ids = sorted({column["id"] for data in READY.values() for column in data["columns"]})
seats = st.integers(0, SEATS)
rounds = st.none() | st.integers(1, 4)
values = st.integers(-30, 120) | st.sampled_from([0.5, 2.125, 7.0, -0.001])
moves = st.one_of(
    st.builds(Enter, seat=seats, column=st.sampled_from(ids), round=rounds, value=values),
    st.builds(
        Line,
        column=st.sampled_from(ids),
        round=rounds,
        values=st.lists(st.none() | values, min_size=SEATS, max_size=SEATS + 1).map(tuple) | st.tuples(values),
    ),
    st.builds(Adjust, seat=seats, points=st.integers(-9, 9), reason=st.sampled_from(["late", "a b", "道"])),
    st.builds(Leave, seat=seats),
    st.builds(
        Give, seat=seats, marker=st.sampled_from(["dealer", "solo", "jack", "gong"]), round=rounds, taken=st.booleans()
    ),
    st.builds(Join, seat=seats, points=st.integers(-9, 9)),
    st.builds(Join, seat=seats, missed=st.sampled_from(["nothing", "zero", "average", "lowest", "highest"])),
    st.builds(Decide, result=st.sampled_from(["won", "lost"])),
    st.just(Finish()),
    st.builds(Stop, why=st.none() | st.sampled_from(["time", "nine", "six"]), winner=st.booleans()),
)
SHEETS = sorted(
    "+".join([name, *chosen])
    for name, options in ((name, read_template(data).options) for name, data in READY.items())
    for chosen in [[], *([each.id] for each in options), *(most_beside(each, options) for each in options[:1])]
)
"""The ready sheets without options, with each of them, and with all that can be chosen beside it."""


@cases("name", sorted(set(SHEETS)))
def test_each_sheet_with_its_options_opens_is_drawn_and_takes_its_first_line(name):
    """What chance fills in breaks no rule."""
    state = SCORESHEET.open({"template": name}, None, 2)
    assert state.template.chosen == tuple(name.split("+")[1:])
    assert state.picture().startswith("<svg")
    assert as_text(state.sketch())
    line = next(move for move in state.legal_moves() if isinstance(move, Line)).sample_chance(
        state, random.Random(name)
    )
    assert list(state.breaches(line)) == []
    assert state.parse(state.notation(line)) == line
    assert state.apply(line)
    assert state.describe()["sheet"]


@examples(24)
@given(name=st.sampled_from(SHEETS), made=st.lists(moves, max_size=25))
@pytest.mark.slow
def test_the_sheet_adds_up_after_any_entry(name, made):
    state = SCORESHEET.open({"template": name}, None, SEATS)
    for move in made:
        before = state.copy()
        breaches = list(state.breaches(move))
        text = state.notation(move)
        assert state == before
        try:
            effects = state.apply(move)
        except ImpossibleError:
            assert state == before
            continue
        assert before.parse(text) == move
        assert all(effect.rule in SCORESHEET.rulebook for effect in effects)
        assert all(breach.rule in SCORESHEET.rulebook for breach in breaches)
        _adds_up(state)
    assert SCORESHEET.state.load(state.dump()) == state
    state.picture()
    state.sketch()
    state.describe()
    state.tables()


@examples(16)
@given(name=st.sampled_from(SHEETS), made=st.lists(moves, max_size=20))
@pytest.mark.slow
def test_a_cell_shows_the_number_that_it_counts_with(name, made):
    state = SCORESHEET.open({"template": name}, None, SEATS)
    for move in made:
        with suppress(ImpossibleError):
            state.apply(move)
    sheet, described = Sheet(state), state.describe()["sheet"]
    for line, column, number in lines(state):
        for side in [0] if column.shared else range(state.sides):
            value = sheet.value(column, number, side)
            assert sheet.number(column, number, side) == (value.number, value.why)
            shown = described[line]["all" if column.shared else side_name(state, side)]
            assert shown == (value.why or None) if value.number is None else Fraction(str(shown)) == value.number


@examples(16)
@given(name=st.sampled_from(SHEETS), made=st.lists(moves, max_size=20))
def test_a_sheet_replayed_from_nothing_is_the_one_that_was_kept_entry_by_entry(name, made):
    kept = SCORESHEET.open({"template": name}, None, SEATS)
    done = []
    for move in made:
        try:
            kept.apply(move, len(done) + 1)
        except ImpossibleError:
            continue
        done.append(move)
        kept = SCORESHEET.state.load(kept.dump())
    anew = SCORESHEET.open({"template": name}, None, SEATS)
    for version, move in enumerate(done, 1):
        anew.replay(move, version, lambda *_: None)
    assert anew == kept
    assert (anew.scores(), anew.outcome(), anew.deciding()) == (kept.scores(), kept.outcome(), kept.deciding())


@pytest.mark.parametrize("path", goldens.sample_of(SCORESHEET.name, 9), ids=lambda path: path.stem)
@pytest.mark.slow
def test_every_cell_at_every_moment_is_replayed_as_if_it_were_judged(path):
    for step in transcript.replay(SCORESHEET, goldens.game(path)):
        for column in step.state.template.by_id:
            for seat, number, value in ((0, None, 3), (1, 1, 0.5), (0, 1, 3), (1, step.state.round + 1, 3), (9, 1, 3)):
                cell = Enter(seat=seat, column=column, round=number, value=value)
                assert_replayed_as_judged(step.state, cell)


def _adds_up(state):
    lines = state.scores()
    sums = [0] * state.seats
    for line in lines:
        sums[line.seat] += line.points
        assert 1 <= line.version <= state.version
        assert line.note
        assert line.rule in SCORESHEET.rulebook
    assert state.totals() == sums
    assert all(one.version <= next_.version for one, next_ in pairwise(lines))
    outcome = state.outcome()
    assert (outcome is None) == (state.closing is None)
    if outcome:
        assert outcome.reason in SCORESHEET.endings
        assert outcome.rule in SCORESHEET.rulebook
        assert {seat for seat, rank in enumerate(outcome.ranks) if rank == 1} == set(outcome.winners)


@cases("name", sorted(READY))
def test_the_order_of_entry_within_a_round_does_not_matter(name):
    """Nor does it matter whether a line or single cells are entered, as long as none is entered twice."""
    chance = random.Random(name)
    state = SCORESHEET.open({"template": name}, None, SEATS)
    last = state.template.rounds or 3
    cells = [
        (column, number, seat, chance.choice([*column.labels.values()] or [chance.randint(0, 25)]))
        for column in state.template.entered_columns
        for number in (range(1, last + 1) if column.per == "round" else [None])
        for seat in range(SEATS if not state.template.teams else 2)
        if not column.shared
    ]
    ends = []
    for _ in range(5 if tiers.SOAK else 2):
        chance.shuffle(cells)
        state = SCORESHEET.open({"template": name}, None, SEATS)
        for column, number, seat, value in cells:
            state.apply(Enter(seat=seat, column=column.id, round=number, value=value))
        if state.template.wins != "cooperative":
            state.apply(Finish())
        lines = sorted((line.seat, line.category, line.rule, line.points) for line in state.scores())
        outcome = None if state.template.first_wins == "entry" else state.outcome()
        ends.append((state.totals(), outcome, lines))
    assert all(end == ends[0] for end in ends)


@examples(24)
@given(made=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(-9, 9)), max_size=30))
def test_what_was_entered_last_stands(made):
    state = SCORESHEET.open({"template": "rounds"}, None, SEATS)
    stands = {}
    for version, (seat, number, value) in enumerate(made, 1):
        state.apply(Enter(seat=seat, column="points", round=number, value=value), version)
        if stands.get((seat, number), (None,))[0] != value:
            stands[seat, number] = value, version
    lines = {
        (line.seat, int(line.category.removeprefix("round-"))): (line.points, line.version) for line in state.scores()
    }
    assert lines == stands


@pytest.mark.slow
def test_a_look_at_a_sheet_with_one_more_turn_computes_it_a_few_times(monkeypatch):
    """However many sides and computed columns it has."""
    columns = [{"id": "a", "per": "round"}]
    columns += [{"id": f"f{n}", "per": "round", "formula": "min(total_before, 9) + a"} for n in range(10)]
    data = {"name": "Test", "columns": columns, "target": 10**6, "last_turn": True}
    state = SCORESHEET.open({}, data, 20)
    for number in range(1, 4):
        state.apply(state.parse(f"r{number}{' 7' * 20}"))
    made = []
    begin = Sheet.__init__
    monkeypatch.setattr(Sheet, "__init__", lambda self, *args, **more: made.append(1) or begin(self, *args, **more))
    line = state.parse(f"r4{' 7' * 20}")
    for look in (lambda: [*state.breaches(line)], state.picture, lambda: [*state.legal_moves()], state.describe):
        made.clear()
        look()
        assert len(made) <= 12
