"""The head file, read while it grows."""

from __future__ import annotations

from contextlib import closing

from events.sqlite.heads import SIZE, Heads, Mark, write


def test_a_record_that_is_half_written_is_read_once_it_is_whole(tmp_path):
    path = tmp_path / "kifu.db.heads"
    marks = [Mark(bytes([number] * 16), number, number, bytes([number] * 32)) for number in (1, 2)]
    write(path, marks)
    whole = path.read_bytes()
    path.write_bytes(whole[: -SIZE // 2])
    with closing(Heads(path)) as heads:
        assert list(heads) == marks[:1]
        with path.open("ab") as file:
            file.write(whole[-SIZE // 2 :])
        assert list(heads) == marks
        assert heads.problems == []
