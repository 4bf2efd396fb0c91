"""A command does not wait for ever for a service that answers without an end."""

from __future__ import annotations

import gzip
import io
import json
import random
import resource
import sqlite3
import sys
from contextlib import closing, nullcontext
from itertools import count, repeat
from os import SEEK_END
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from click.testing import CliRunner

from events.tree.checkpoints import Checkpoint
from service.api.routes.operations import Health
from service.cli.commands import kifu
from service.cli.exchange import everything, transfers
from service.cli.proof import auditing
from service.cli.proof.auditing import read_exports
from service.cli.shell import client as shell
from service.cli.shell import connection, files
from service.cli.shell.client import Client, Connection, UnexpectedAnswerError, UnreachableError
from service.cli.shell.failures import explain
from service.cli.shell.files import NoRoomError, bounded_database
from service.cli.shell.references import Listed, all_games, every_game
from service.exchange.archives import MAGIC, TRAIL, ArchiveWriter
from service.exchange.dataset import open_dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.service.conftest import Api

    Answer = Callable[[httpx.Request], httpx.Response]

MOST = 1 << 16
"""Bytes that the tests let an answer have."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "LARGEST", MOST)
    monkeypatch.setattr(shell, "LONGEST_LINE", MOST)


def asking(answer: Answer) -> Client:
    http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://hostile")
    return Client(lambda: Connection(http, "http://hostile"))


def endless(piece: bytes = b" " * 1000, headers: dict[str, str] | None = None) -> Client:
    return asking(lambda _: httpx.Response(200, content=repeat(piece), headers=headers))


# Lists


def listing(pages: Iterator[list[dict[str, Any]]], position: int = 3) -> Client:
    """A service that lists games page by page, each with another one behind it."""
    numbers = count()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/health":
            return httpx.Response(200, json={"position": position})
        return httpx.Response(200, json={"games": next(pages), "next": f"cursor-{next(numbers)}"})

    return asking(answer)


@pytest.fixture
def listed(api: Api) -> dict[str, Any]:
    """A game as a list has it."""
    api.open()
    api.catch_up()
    (found,) = json.loads(api.get("/v1/games").data)["games"]
    return dict(found)


@pytest.mark.parametrize("games", ["others", "the same", "none"])
def test_a_list_without_an_end_has_no_more_games_than_the_log_has_entries(listed: dict[str, Any], games: str) -> None:
    ids = (f"{number:08x}-0000-4000-8000-000000000000" for number in count())
    pages = {
        "others": ([listed | {"game": game}] for game in ids),
        "the same": repeat([listed]),
        "none": repeat([]),
    }
    for read in (all_games, every_game):
        with pytest.raises(UnexpectedAnswerError, match="games, and its log has 3 entries"):
            list(read(listing(iter(pages[games]))))


# Answers


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_without_an_end_is_not_read_to_it(packed: bool) -> None:
    zeros = bytes(2 * MOST)
    bomb = asking(
        lambda _: httpx.Response(200, content=gzip.compress(zeros), headers={"Content-Encoding": "gzip"}),
    )
    with pytest.raises(UnexpectedAnswerError, match=f"more than {MOST} bytes"):
        (bomb if packed else endless()).fetch("/v1/tree/key")


def test_an_answer_that_is_packed_twice_is_not_unpacked() -> None:
    twice = gzip.compress(gzip.compress(bytes(MOST)))
    client = asking(lambda _: httpx.Response(200, content=twice, headers={"Content-Encoding": "gzip, gzip"}))
    for ask in (lambda: client.fetch("/"), lambda: client.stream("/").__enter__()):
        with pytest.raises(UnexpectedAnswerError, match="compressed more than once: gzip, gzip"):
            ask()


def test_a_line_without_an_end_is_not_read_to_it() -> None:
    for lines in (endless().lines("/"), endless().follow("/", dict)):
        with lines as found, pytest.raises(UnexpectedAnswerError, match=f"a line of its answer has more than {MOST}"):
            list(found)


def test_an_error_without_an_end_is_not_read_to_it() -> None:
    client = asking(lambda _: httpx.Response(400, content=repeat(b"x" * 1000)))
    for ask in (lambda: client.fetch("/"), lambda: client.stream("/").__enter__()):
        with pytest.raises(UnexpectedAnswerError, match="more than"):
            ask()


def test_an_answer_that_cannot_be_unpacked_is_none_of_a_service() -> None:
    client = asking(lambda _: httpx.Response(200, content=iter([b"xxxx"]), headers={"Content-Encoding": "gzip"}))
    with pytest.raises(UnexpectedAnswerError, match="decompressing"):
        client.fetch("/")


@pytest.mark.parametrize("link", ["</tables?after=1>", "</tables>", "<>"])
def test_a_next_page_that_is_the_same_is_not_read_again(link: str) -> None:
    client = asking(lambda _: httpx.Response(200, content=b"x", headers={"Link": f'{link}; rel="next"'}))
    with pytest.raises(UnexpectedAnswerError, match="repeats this one"), client.page("/tables", after="1"):
        pass


def test_a_count_that_is_none_is_no_answer_to_an_import() -> None:
    client = asking(lambda _: httpx.Response(201, json={}, headers={"Kifu-New-Entries": "many"}))
    with pytest.raises(UnexpectedAnswerError, match="many"):
        client.import_file(b"", dict, shell.NDJSON)


def test_answers_are_read_for_some_time_only() -> None:
    client = endless()
    client.end_after(1e-9)
    with pytest.raises(UnreachableError, match="not ended after 1e-09 hours"):
        client.fetch("/")


# The disk


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many bytes a command may write: half of a small disk."""
    monkeypatch.setattr(files.shutil, "disk_usage", lambda _: SimpleNamespace(free=4 * MOST))
    return 2 * MOST


def test_a_file_of_a_service_that_does_not_end_takes_half_of_the_free_disk(tmp_path: Path, room: int) -> None:
    target = tmp_path / "game.html"
    with endless(bytes(1000)).stream("/") as pieces, pytest.raises(NoRoomError, match="half of the free disk"):
        files.save(pieces, target)
    assert list(tmp_path.iterdir()) == []
    for begun in (0, room // 1000 * 1000):
        with pytest.raises(NoRoomError) as refused:
            append(endless(random.randbytes(1000)), target)
        assert explained(refused.value) == f"{target}.part: it would take more than half of the free disk"
        assert begun + room - 1000 < files.part_of(target).stat().st_size <= begun + room


def append(client: Client, target: Path) -> None:
    with client.stream("/") as pieces, files.resumable(target, b"") as file:
        file.seek(0, SEEK_END)
        file.writelines(pieces)


def test_an_archive_of_a_service_that_does_not_end_takes_half_of_the_free_disk(tmp_path: Path, room: int) -> None:
    target = tmp_path / "all.zip"
    noise = (random.randbytes(1000) for _ in count())
    with pytest.raises(NoRoomError), files.resumable(target, MAGIC[0]) as file, ArchiveWriter(file) as writer:
        writer.add(TRAIL, noise)
    assert files.part_of(target).stat().st_size <= room


def test_a_dataset_of_a_service_that_does_not_end_takes_half_of_the_free_disk(tmp_path: Path, room: int) -> None:
    path = tmp_path / "games.db"
    with pytest.raises(NoRoomError, match="half of the free disk"):
        fill(path)
    assert path.stat().st_size <= room


def fill(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, bounded_database(database, path):
        database.execute("create table notes (text)")
        database.executemany("insert into notes values (?)", repeat(["x" * 1000]))


def test_a_record_that_does_not_end_is_left_out_of_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everything, "LARGEST", MOST)
    content = io.BytesIO()
    why = everything._not_exported(endless(), Listed("games", "7"), content)
    assert why == f"it has more than {MOST} bytes"
    assert len(content.getvalue()) <= MOST


def test_a_long_reason_for_a_record_that_is_left_out_is_cut() -> None:
    problem = {"type": "x", "title": "No", "status": 400, "detail": "x" * (MOST // 2)}
    headers = {"Content-Type": "application/problem+json"}
    client = asking(lambda _: httpx.Response(400, json=problem, headers=headers))
    assert len(everything._not_exported(client, Listed("games", "7"), io.BytesIO())) < 1000


@pytest.mark.parametrize("following", [0, 5])
def test_a_trail_that_goes_round_is_not_followed(following: int) -> None:
    client = asking(lambda _: httpx.Response(200, json={"steps": [], "people": {}, "next": following}))
    with pytest.raises(UnexpectedAnswerError, match="repeats this one"):
        list(everything._trail(client))


def test_standard_input_without_an_end_takes_half_of_the_free_disk(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(bytes(room + (1 << 20)))))
    with pytest.raises(NoRoomError, match="half of the free disk"), transfers._opened(files.STDOUT):
        pass


def explained(error: Exception) -> str:
    return next(explain(error))


# Audits


@pytest.mark.parametrize("tile", [b"\0\x20" + bytes(32), b"\0\0", b"\xff\xff"])
def test_leaves_without_an_end_are_not_those_that_were_signed(tile: bytes) -> None:
    client = asking(lambda _: httpx.Response(200, content=tile * 1000))
    with pytest.raises(UnexpectedAnswerError, match="its leaves are not those that it signed"):
        auditing._leaves(client, Checkpoint("hostile", 300, bytes(32)))


def test_an_export_of_blank_lines_is_unsound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "every_record", lambda _: [Listed("games", "7")])
    found = read_exports(asking(lambda _: httpx.Response(200, content=b"\n" * MOST)))
    assert found.unsound == {"7": f"its export has {MOST} lines in {MOST} bytes"}


DEEP = b"[" * 100_000
"""More than can be read one in the other."""


@pytest.mark.parametrize("line", [DEEP, b"{", b'"games"', b'["nothing",1]', b'["games",1]', b'["games",1.5]', b"\xff"])
def test_a_line_that_is_no_row_makes_no_dataset_and_leaves_the_older_one(
    line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "LONGEST_LINE", 1 << 20)
    file = tmp_path / "club.db"
    open_dataset(str(file)).close()
    before = file.read_bytes()
    service = asking(lambda _: httpx.Response(200, content=line + b"\n"))
    for options in ([], ["--fresh"]):
        monkeypatch.setattr(connection, "connect", lambda *_, **__: nullcontext(service))
        told = CliRunner().invoke(kifu, ["dataset", str(file), *options])
        assert (told.exit_code, "Traceback" in told.output) == (1, False), (told.output, told.exception)
        assert file.read_bytes() == before


def test_an_answer_that_is_too_deep_is_no_answer() -> None:
    with pytest.raises(UnexpectedAnswerError):
        asking(lambda _: httpx.Response(200, content=DEEP[: MOST // 2])).get("/v1/health", Health)


def test_a_disk_that_is_full_is_told_with_the_file_and_the_part_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A limit of the size of files is refused by the system in the middle of a write, as a full disk is."""
    before, target = resource.getrlimit(resource.RLIMIT_FSIZE), tmp_path / "games.csv"
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as refused, files.resumable(target, b"") as file:
            file.writelines(repeat(b"some cells of a row " * 20, 100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert explained(refused.value).startswith(f"{target}.part: ")
    assert f"What was written stays in {target}.part" in " ".join(capsys.readouterr().err.split())
    assert files.part_of(target).stat().st_size
