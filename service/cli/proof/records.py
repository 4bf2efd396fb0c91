"""The proof of a file with records: their chains and, if these are sound, a replay."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import msgspec

from events.verification import verify_export
from projections.replaying import prove_entries, prove_header, prove_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from events.ndjson import WrittenGame
    from events.verification import Report


def prove_records(file: IO[bytes], progress: Callable[[int], None] = lambda _: None) -> Report:
    """The report on the records of a file. `progress` gets the number of read bytes."""
    return verify_export(_with_progress(file, progress), _replayed)


def _replayed(report: Report, game: WrittenGame) -> Report:
    """The report on a sound record after a replay: its faults, and the number of irregular entries."""
    replay = prove_replay(game.events, game.line + 1)
    problems = replay.problems or prove_entries(game.events, game.line + 1)
    found = (*problems, *prove_header(game, replay.irregular))
    irregular = None if replay.irregular is None else len(replay.irregular)
    return msgspec.structs.replace(report, problems=found, irregular=irregular)


def _with_progress(lines: Iterable[bytes], progress: Callable[[int], None]) -> Iterator[bytes]:
    """The same lines. `progress` gets the number of their bytes."""
    done = 0
    for line in lines:
        yield line
        done += len(line)
        progress(done)
