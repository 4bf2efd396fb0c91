"""The head file, read while it grows."""

from __future__ import annotations

from contextlib import closing

from events import grouping
from events.sqlite import LOG, SqliteLog
from events.sqlite.heads import SIZE, ChainMark, Heads, heads_path, write
from events.sqlite.writer import Writer
from tests.waiting import until


def test_a_record_that_is_half_written_is_read_once_it_is_whole(tmp_path):
    path = tmp_path / "kifu.db.heads"
    marks = [ChainMark(bytes([number] * 16), number, number, bytes([number] * 32)) for number in (1, 2)]
    write(path, marks)
    whole = path.read_bytes()
    path.write_bytes(whole[: -SIZE // 2])
    with closing(Heads(path)) as heads:
        assert list(heads) == marks[:1]
        with path.open("ab") as file:
            file.write(whole[-SIZE // 2 :])
        assert list(heads) == marks
        assert heads.problems == []


def test_an_idle_log_shortens_a_long_file_once_and_leaves_a_short_one_alone(tmp_path, make, monkeypatch):
    """Before its first append it has not counted its games. The file was written anew each second."""
    monkeypatch.setattr(grouping, "IDLE_SECONDS", 0.01)
    looks = []
    monkeypatch.setattr(Writer, "_tidy", lambda writer, tidy=Writer._tidy: looks.append(tidy(writer)))
    path = tmp_path / LOG
    openings = [make.opening() for _ in range(1100)]
    with SqliteLog(path) as log:
        for opening in openings:
            log.append(opening.id, [opening], expected=0, recorder="owner")
    file = heads_path(path)
    before, whole = file.stat().st_ino, file.read_bytes()
    looks.clear()
    with SqliteLog(path):
        until(lambda: len(looks) > 3)
    assert file.stat().st_ino == before
    file.write_bytes(whole + whole[SIZE:] * 2)
    with SqliteLog(path):
        until(lambda: len(file.read_bytes()) == len(whole))
        shortened = file.stat().st_ino
        looks.clear()
        until(lambda: len(looks) > 3)
        assert file.stat().st_ino == shortened
    with closing(Heads(file)) as heads:
        assert len(list(heads)) == len(openings)
