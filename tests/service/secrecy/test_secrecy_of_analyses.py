"""Two records that differ only in what somebody may not know have equal analyses from where he looks."""

from __future__ import annotations

import itertools
import random
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace as replaced

from games.contract import PUBLIC, RECORD, Viewpoint
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import KINDS, InapplicableError
from service.cli.commands import kifu
from service.cli.shell import connection
from service.cli.shell.client import Client, Connection
from tests.choosing import short_or_soak, soak_except
from tests.service.twins import CARDS, Twins
from workers import analysing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.analyses.game_replay import GameReplay
    from tests.service.conftest import Api

VIEWPOINTS = (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
ASKED = {"games": short_or_soak(30, 100), "precision": 20, "blunders": 10}


def alike(replay: GameReplay) -> GameReplay:
    """The course without ids, hashes and the time of day, which differ between any two games."""
    steps = [replace(step, at=None) for step in replay.steps]
    audit = msgspec.structs.replace(replay.audit, game="", hash=None)
    return replace(replay, seed="the same", began=None, steps=steps, audit=audit)


def analysed(replay: GameReplay, kind: str) -> Any:
    """The result of an analysis, with all that was asked for on the way: keys and progress can tell things, too."""
    analysing = KINDS[kind].analyse(replay, {name: ASKED[name] for name in KINDS[kind].parameters})
    seen: list[Any] = []
    try:
        asked = next(analysing)
        while True:
            seen.append(([unit.key for unit in asked.units], asked.planned, asked.so_far))
            asked = analysing.send({unit.key: unit.work() for unit in asked.units})
    except StopIteration as finished:
        return seen, finished.value


def given(replay: GameReplay) -> list[Any]:
    """All that an analysis is given: what is in a replay, and what follows from each of its steps."""
    own = [getattr(replay, field.name) for field in fields(replay) if field.name not in {"game", "hash", "steps"}]
    steps = ([getattr(step, field.name) for field in fields(step)] + [step.effects] for step in replay.steps)
    return [*own, *steps]


def apart(api: Api, name: str, viewpoint: Viewpoint) -> Twins:
    """Two records in which something differs that cannot be seen."""
    for seed in range(20):
        twins = Twins(api, name, viewpoint, random.Random(f"analyses {name} {viewpoint} {seed}"))
        for _ in range(30):
            twins.happen()
        if twins.apart:
            return twins
    raise AssertionError("they are the same")


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(
        itertools.product(CARDS, VIEWPOINTS),
        *zip(CARDS, itertools.cycle(VIEWPOINTS), strict=False),
        *zip(CARDS, itertools.cycle(reversed(VIEWPOINTS)), strict=False),
    ),
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.slow
def test_an_analysis_is_given_nothing_that_may_not_be_known(api: Api, name: str, viewpoint: Viewpoint) -> None:
    """It is a function of the replay. From the record the two replays differ: else they would prove nothing."""
    twins = apart(api, name, viewpoint)

    def seen(where: Viewpoint) -> list[list[Any]]:
        return [given(alike(replay_of(twins.folds, head.game, head.version, where))) for head in twins.heads]

    one, other = seen(viewpoint)
    assert one == other
    whole, different = seen(RECORD)
    assert whole != different


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(itertools.product(CARDS, VIEWPOINTS), ("kahuna", PUBLIC)),
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.slow
def test_an_analysis_uses_nothing_that_may_not_be_known(api: Api, name: str, viewpoint: Viewpoint) -> None:
    twins = apart(api, name, viewpoint)
    one, other = (alike(replay_of(twins.folds, head.game, head.version, viewpoint)) for head in twins.heads)
    for kind in KINDS.values():
        try:
            kind.check(twins.ruleset)
        except InapplicableError:
            continue
        found = analysed(one, kind.name)
        assert found == analysed(other, kind.name), kind.name
        assert msgspec.json.encode(found[1])


def made_alike(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Have analyses made by a worker that takes two twins for one game, by few games if nothing else is asked for."""
    real = analysing.replay_of
    monkeypatch.setattr(analysing, "replay_of", lambda *given: alike(real(*given)))
    asked = ASKED | {"games": games}
    for name, kind in [*KINDS.items()]:
        fewer = {each: replaced(kind.parameters[each], default=asked[each]) for each in kind.parameters}
        monkeypatch.setitem(KINDS, name, replaced(kind, parameters=fewer))


def printed(api: Api, twins: Twins, number: int, seat: str, *command: str) -> str:
    """What the owner sees of one of the twins at a terminal, from a seat."""

    @contextmanager
    def here(*_: object, **__: object) -> Iterator[Client]:
        transport, headers = httpx.WSGITransport(api.app), {"Authorization": f"Bearer {api.token}"}
        with httpx.Client(transport=transport, base_url="http://localhost", headers=headers) as http:
            yield Client(lambda: Connection(http, "here"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "connect", here)
        result = CliRunner().invoke(kifu, [*command, twins.games[number], "--seat", seat, "--url", "http://localhost"])
    assert result.exit_code == 0, result.output
    return twins.plain(result.stdout, number)


@pytest.mark.parametrize(
    ("name", "viewpoint"),
    soak_except(itertools.product(CARDS, VIEWPOINTS), ("kahuna", PUBLIC), ("kahuna", Viewpoint("seat", 1))),
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.slow
def test_no_answer_about_analyses_tells_what_may_not_be_known(
    api: Api, name: str, viewpoint: Viewpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists, results, pages, files, cards and commands.

    The whole record was analysed, too, which tells the twins apart.
    """
    twins = apart(api, name, viewpoint)
    made_alike(monkeypatch, games=short_or_soak(30, 300))
    kinds = [kind for kind in KINDS if KINDS[kind].applies(twins.ruleset)]
    for kind, where in itertools.product(kinds, (viewpoint, RECORD)):
        twins.analyse(kind, where)
    for game in twins.games:
        api.show(game)
    seat = viewpoint.name.removeprefix("seat-")
    paths = ["/v1/games/{game}/analyses?limit=100", "/games/{game}/card.png"]
    paths += [f"/v1/games/{{game}}/analyses/{{analyses[{number}]}}" for number in range(2 * len(kinds))]
    paths += [f"/v1/games/{{game}}/export?format={form}&seat={seat}" for form in ("html", "report", "text")]
    paths += [f"/games/{{game}}?seat={seat}", f"/games/{{game}}?seat={seat}&lang=ja"]
    guest = twins.guest("stranger" if viewpoint == PUBLIC else "player")
    one, other = twins.answers(guest, 0, paths), twins.answers(guest, 1, paths)
    for path in paths:
        assert one[path] == other[path], path
    seated = seat if viewpoint.seat is None else str(viewpoint.seat + 1)
    commands = [("show",), *(("analyse", "--kind", kind) for kind in kinds), ("learn", "--json")]
    for command in commands:
        assert printed(api, twins, 0, seated, *command) == printed(api, twins, 1, seated, *command), command
    seen = [path for path in paths if "{analyses[" in path and one[path][0] == "200 OK"]
    assert len(seen) == len(kinds), "those of the record are not there"
    whole, different = twins.answers(api, 0, paths), twins.answers(api, 1, paths)
    assert any(whole[path] != different[path] for path in paths if "{analyses[" in path)


def test_the_whole_record_is_analysed_with_all_that_is_in_it(api: Api) -> None:
    """A caller who may see all tells the twins apart: else the test above would prove nothing."""
    game = api.play("-", "+?gola", "b-d", "-")
    folds = api.app.context.archive.folds
    counts = {
        viewpoint.name: analysed(replay_of(folds, game, 6, viewpoint), "luck-counts")[1].left_out
        for viewpoint in (PUBLIC, Viewpoint("seat", 1), Viewpoint("record"))
    }
    assert counts["public"] > counts["record"] == counts["seat-1"]
