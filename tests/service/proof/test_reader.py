"""`examples/reader.mjs`, a reader in another language, proves a record and prints its score line by line."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from tests.cases import cases
from tests.vectors.__main__ import VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.conftest import Api

SCRIPT = Path(__file__).parents[3] / "examples" / "reader.mjs"
SAMPLES = Path(__file__).parents[2] / "vectors"
GOLDENS = Path(__file__).parents[2] / "golden" / "events"

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: examples/reader.mjs was not run"),
]


RUNS = """
import { createInterface } from "node:readline";
const [script] = process.argv.splice(1);
let number = 0;
for await (const file of createInterface({ input: process.stdin })) {
  const lines = [];
  [process.argv[2], process.exitCode, console.log] = [file, 0, (said) => lines.push(...said.split("\\n"))];
  await import(`${script}?${number++}`);
  process.stdout.write(`${JSON.stringify([process.exitCode, lines])}\\n`);
}
"""
"""Runs the reader anew for each file that is named on standard input: to start node takes longer than to read one."""


class Reader:
    """A process that reads one file after the other."""

    def __init__(self) -> None:
        command = ["node", "--input-type=module", "--eval", RUNS, SCRIPT.as_uri()]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def __call__(self, file: Path) -> tuple[int, list[str]]:
        """The exit code of the reader, and the lines that it prints."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{file}\n")
        self._process.stdin.flush()
        code, lines = json.loads(self._process.stdout.readline())
        return code, lines

    def end(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture(scope="module")
def read() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.end()


def exported(api: Api, game: str, folder: Path) -> Path:
    file = folder / "game.ndjson"
    file.write_bytes(api.get(f"/v1/games/{game}/export").data)
    return file


def correction(type_: str, **data: object) -> dict[str, object]:
    return {"id": str(uuid7()), "type": type_, "data": data}


def test_it_is_short_and_needs_nothing() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    assert all('from "node:' in line for line in lines if line.startswith("import "))


def test_it_is_a_program_that_prints_and_ends_with_1_for_a_record_that_is_not_sound(tmp_path: Path) -> None:
    sound = next(GOLDENS.glob("*.ndjson"))
    broken = tmp_path / "broken.ndjson"
    broken.write_bytes(sound.read_bytes()[:-9])
    for file, code, told in ((sound, 0, "the chain holds"), (broken, 1, f"{broken}: ")):
        done = subprocess.run(["node", SCRIPT, file], capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, told in done.stdout.splitlines()[0]) == (code, True), done


@cases("view", VIEWS)
def test_the_samples_of_every_view_are_read(read: Reader, view: str) -> None:
    code, lines = read(SAMPLES / f"game.{view}.ndjson")
    assert (code, lines[0]) == (0, "kahuna, 2 seats, 12 entries: the chain holds")


def test_the_lines_of_a_sheet_are_those_of_the_audit_after_all_corrections(
    api: Api, read: Reader, tmp_path: Path
) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{}, {}])
    assert api.record(game, "r1 30 1", "r2 5 60", "r3 9 9", "p1 +5 longest road").status_code == 201
    sent = [
        correction("entry.replaced", entry=2, move="r1 30 2", reason="misread\u2028ＡＢ"),
        correction("entry.withdrawn", entry=4),
        correction("entry.inserted", after=3, move="r3 7 8"),
        correction("score.claimed", scores=[47, 70]),
    ]
    answer = api.post(f"/v1/games/{game}/events", {"events": sent})
    assert answer.status_code == 201, answer.text
    code, lines = read(exported(api, game, tmp_path))
    assert code == 0, lines
    assert lines[-1] == "the table wrote down 47:70"
    totals = [0, 0]
    for line in lines[1:-1]:
        player, points = line.removeprefix("player ").split()[:2]
        totals[int(player.rstrip(":")) - 1] += int(points)
    assert totals == api.get(f"/v1/games/{game}").get_json()["scores"] == [47, 70]


@cases("golden", sorted(GOLDENS.glob("*.ndjson")), ids=lambda file: file.stem)
def test_records_of_every_earlier_form_are_read(read: Reader, golden: Path) -> None:
    code, lines = read(golden)
    assert code == 0, lines
    assert lines[0].endswith("the chain holds")


def test_a_replacement_of_an_entry_that_was_withdrawn_counts_for_nothing(
    api: Api, read: Reader, tmp_path: Path
) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{}, {}])
    assert api.record(game, "r1 30 1", "r2 5 60").status_code == 201
    sent = [
        correction("note.added", text="tea", entry=2),
        correction("entry.replaced", entry=3, move="r2 6 60"),
        correction("entry.withdrawn", entry=3),
        correction("score.claimed", scores=[1, 2]),
        correction("entry.withdrawn", entry=7),
        correction("entry.inserted", after=4, move="r2 1 1"),
    ]
    answer = api.post(f"/v1/games/{game}/events", {"events": sent})
    assert answer.status_code == 201, answer.text
    code, lines = read(exported(api, game, tmp_path))
    assert (code, len(lines)) == (0, 5), lines
    assert api.get(f"/v1/games/{game}").get_json()["scores"] == [31, 2]
    assert "the table wrote down" not in " ".join(lines)


def test_what_is_opened_has_to_be_what_was_sealed(api: Api, read: Reader, tmp_path: Path) -> None:
    game = api.open()
    api.post(f"/v1/games/{game}/events", {"events": [correction("note.added", text="a fair game")]})
    file = exported(api, game, tmp_path)
    assert read(file)[0] == 0
    file.write_bytes(file.read_bytes().replace(b"a fair game", b"a foul game"))
    code, lines = read(file)
    assert code == 1
    assert "not what was sealed as text" in lines[0]


def test_a_record_that_was_changed_is_refused(api: Api, read: Reader, tmp_path: Path) -> None:
    game = api.play("b-d")
    file = exported(api, game, tmp_path)
    content = file.read_bytes()
    lines = content.split(b"\n")
    changes = {
        "another move": content.replace(b"BARI-DUDA", b"BARI-COCO"),
        "a blank": content.replace(b'"data":{', b'"data": {', 1),
        "a key twice": content.replace(b'{"game":', b'{"version":9,"game":').replace(b'{"version":9,', b"", 1),
        "a lost line": b"\n".join([lines[0], *lines[2:]]),
        "another order": b"\n".join([lines[0], lines[2], lines[1], *lines[3:]]),
    }
    for what, changed in changes.items():
        assert changed != content, what
        file.write_bytes(changed)
        assert read(file)[0] == 1, what


def test_a_damaged_line_is_named(api: Api, read: Reader, tmp_path: Path) -> None:
    file = exported(api, api.play("b-d"), tmp_path)
    lines = file.read_bytes().splitlines()
    for number, line in enumerate(lines, 1):
        damages = [
            b"",
            b"null",
            b"3",
            b"[]",
            line[:-9],
            b"\xef\xbb\xbf" + line,
            line.replace(b'"sealed":{', b'"sealed":null,"x":{'),
        ]
        for damaged in damages if number > 1 else damages[:5]:
            if damaged != line:
                file.write_bytes(b"\n".join([*lines[: number - 1], damaged, *lines[number:], b""]))
                code, (told, *rest) = read(file)
                assert (code, rest) == (1, []), damaged
                assert f": line {number}: " in told or (number == 1 and told.endswith("that this reader knows"))


def test_a_header_has_to_fit_and_nothing_else_follows_the_entries(api: Api, read: Reader, tmp_path: Path) -> None:
    file = exported(api, api.play("b-d"), tmp_path)
    first, *rest = file.read_bytes().splitlines(keepends=True)
    header = json.loads(first)
    changes = [{"game": str(uuid7())}, {"format_version": 3}, {"events": 2}, {"events": "3"}, {"head": "0" * 64}]
    for change in changes:
        file.write_bytes(b"".join([json.dumps(header | change).encode(), b"\n", *rest]))
        assert read(file)[0] == 1, change
    file.write_bytes(b"".join([first, *rest, rest[-1]]))
    code, lines = read(file)
    assert (code, lines[0].endswith("line 5: neither the end nor another game")) == (1, True), lines
    file.write_bytes(b"".join([first, *rest, first, *rest]))
    assert read(file)[0] == 0


def test_the_moves_that_count_stand_in_the_order_of_play(api: Api, read: Reader, tmp_path: Path) -> None:
    """Two insertions after one entry, one after an entry that was withdrawn, one after a ruling and an insertion."""
    game = api.open(ruleset="scoresheet", options={"template": "tichu"}, seats=[{}, {}, {}, {}])
    assert api.record(game, "p1 +1 a", "p1 +2 b", "p1 +3 c").status_code == 201
    sent = [
        correction("entry.withdrawn", entry=3),
        correction("entry.inserted", after=2, move="p1 +4 d"),
        correction("entry.inserted", after=2, move="p1 +5 e"),
        correction("entry.inserted", after=3, move="p1 +6 f"),
        correction("entry.inserted", after=6, move="p1 +7 g"),
        correction("entry.replaced", entry=7, move="p1 +8 h"),
        correction("entry.replaced", entry=8, move="p1 +8 i"),
        correction("entry.withdrawn", entry=10),
        correction("ruling.given", reason="agreed", after=4),
        correction("entry.inserted", after=13, move="p1 +9 j"),
    ]
    for each in sent:
        assert api.post(f"/v1/games/{game}/events", {"events": [each]}).status_code == 201
    code, lines = read(exported(api, game, tmp_path))
    told = [json.loads(line.partition(": ")[2])["reason"] for line in lines[1:]]
    entries = sorted(api.get(f"/v1/games/{game}/timeline").get_json()["entries"], key=lambda entry: entry["place"])
    counting = [entry["move"]["reason"] for entry in entries if "move" in entry and "withdrawn_by" not in entry]
    assert (code, told) == (0, counting)
    assert told == list("adgeicj")


def test_a_move_is_read_as_the_record_knows_it_and_stands_after_the_correction_that_it_follows(
    api: Api, read: Reader, tmp_path: Path
) -> None:
    """Each seat has a seal with its own hand, and the record one with both. An insertion can name a correction."""
    game = api.open()
    assert api.record(game, "deal black BARI COCO DUDA / ALOA ALOA ELAI / FAAA FAAA GOLA", "a-b").status_code == 201
    for each in (
        correction("entry.replaced", entry=3, move="a-h"),
        correction("entry.inserted", after=4, move="show ELAI"),
    ):
        answer = api.post(f"/v1/games/{game}/events", {"events": [each]})
        assert answer.status_code == 201, answer.text
    code, lines = read(exported(api, game, tmp_path))
    entries = sorted(api.get(f"/v1/games/{game}/timeline").get_json()["entries"], key=lambda entry: entry["place"])
    counting = {
        entry["version"]: entry["move"] for entry in entries if entry["type"] in {"move.made", "entry.inserted"}
    }
    told = {
        int(at.removeprefix("entry ")): json.loads(move) for at, _, move in (line.partition(": ") for line in lines[1:])
    }
    assert code == 0
    assert [*told.items()] == [*counting.items()]
    assert all(told[2]["hands"])


def test_a_text_with_every_kind_of_character_is_canonical(api: Api, read: Reader, tmp_path: Path) -> None:
    game = api.play("b-d")
    for text in ("\x01\x1f\x7f\u2028\U0001f600\u00ad", '\\u0000 "1e5" -0 1.0', "__proto__", "\ufeff１２", "\u0000 5"):
        note = {"id": str(uuid7()), "type": "note.added", "data": {"text": text}}
        assert api.post(f"/v1/games/{game}/events", {"events": [note]}).status_code in {201, 400, 422}
    code, lines = read(exported(api, game, tmp_path))
    assert (code, lines[0].endswith("the chain holds")) == (0, True), lines
