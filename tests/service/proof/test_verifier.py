"""`examples/verify.py`, written from `docs/proof.md` alone, agrees with Kifu about samples and fresh exports."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from events.tree.checkpoints import open_checkpoint
from events.tree.merkle import BadProofError
from events.tree.notes import BadNoteError, parse_verifier
from events.tree.receipts import parse_receipt
from events.verification import verify_export
from tests.cases import cases
from tests.vectors.__main__ import VIEWS, make

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.conftest import Api

SCRIPT = Path(__file__).parents[3] / "examples" / "verify.py"
SAMPLES = Path(__file__).parents[2] / "vectors"

_spec = importlib.util.spec_from_file_location("verifier", SCRIPT)
assert _spec
assert _spec.loader
verifier = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(verifier)


@pytest.fixture(params=["samples", "fresh"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The samples as they are kept, and as they are made today."""
    if request.param == "samples":
        return SAMPLES
    make(tmp_path)
    return tmp_path


def run(*arguments: object) -> int:
    return int(verifier.main([str(each) for each in arguments]))


def test_it_imports_nothing_of_kifu_and_is_short() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    modules = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert modules <= sys.stdlib_module_names | {"cryptography"}
    assert len(lines) <= 300


@pytest.mark.parametrize("view", VIEWS)
def test_the_exports_of_every_view_are_proved(folder: Path, view: str) -> None:
    file = folder / f"game.{view}.ndjson"
    assert run(file) == 0
    assert verify_export(file.read_bytes().split(b"\n")).sound


def test_receipts_checkpoints_and_cosignatures_are_proved(folder: Path) -> None:
    key, witness = ((folder / name).read_text(encoding="utf-8") for name in ("log.key", "witness.key"))
    game, older, newer = folder / "game.public.ndjson", folder / "checkpoint.older", folder / "checkpoint.newer"
    assert run(game, "--receipt", folder / "entry.tlog-proof", "--key", key) == 0
    assert run("--checkpoints", older, newer, folder / "consistency.json", "--key", key) == 0
    assert run("--checkpoints", newer, older, folder / "consistency.json", "--key", key) == 1
    assert run("--cosigned", folder / "checkpoint.cosigned", "--key", key, "--witness", witness) == 0
    assert run("--cosigned", newer, "--key", key, "--witness", witness) == 1
    assert run(game, "--receipt", folder / "entry.tlog-proof", "--key", witness) == 1


OTHER_FORMS: dict[str, Callable[[str], str]] = {
    "CR LF": lambda text: text.replace("\n", "\r\n"),
    "no last line end": lambda text: text.removesuffix("\n"),
    "a blank line behind": lambda text: text + "\n",
    "a tab": lambda text: text.replace(" ", "\t"),
    "another dash": lambda text: text.replace("\u2014 ", "\u2013 "),
    "bits behind the end of a hash": lambda text: text.replace("3aE=\n", "3aF=\n").replace("BqE=\n", "BqF=\n"),
    "no padding": lambda text: text.replace("=\n", "\n"),
    "a number with a zero before it": lambda text: text.replace("index 5\n", "index 05\n").replace("\n15\n", "\n015\n"),
}


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_a_proof_that_is_written_in_another_form_is_refused_by_both(tmp_path: Path, name: str) -> None:
    key, witness = ((SAMPLES / each).read_text(encoding="utf-8").strip() for each in ("log.key", "witness.key"))
    game = SAMPLES / "game.public.ndjson"
    receipt, cosigned = (
        (SAMPLES / each).read_text(encoding="utf-8") for each in ("entry.tlog-proof", "checkpoint.cosigned")
    )
    other = tmp_path / "entry.tlog-proof"
    other.write_bytes(OTHER_FORMS[name](receipt).encode())
    assert other.read_bytes() != receipt.encode()
    assert run(game, "--receipt", other, "--key", key) == 1
    with pytest.raises((BadNoteError, BadProofError)):
        parse_receipt(other.read_bytes().decode()).check(parse_verifier(key))
    other.write_bytes(OTHER_FORMS[name](cosigned).encode())
    assert run("--cosigned", other, "--key", key, "--witness", witness) == (other.read_bytes() != cosigned.encode())
    assert is_cosigned(other.read_bytes().decode(), key, witness) == (other.read_bytes() == cosigned.encode())


def is_cosigned(note: str, key: str, witness: str) -> bool:
    """What Kifu says of a checkpoint."""
    try:
        return open_checkpoint(note, parse_verifier(key)).note.signed_by(parse_verifier(witness)) is not None
    except BadNoteError:
        return False


@cases(
    "asked",
    [
        [],
        ["--key", "KEY"],
        ["game.public.ndjson", "--key", "KEY"],
        ["game.public.ndjson", "--receipt", "entry.tlog-proof"],
        ["game.public.ndjson", "--witness", "KEY"],
        [
            "--checkpoints",
            "checkpoint.older",
            "checkpoint.newer",
            "consistency.json",
            "--key",
            "KEY",
            "--witness",
            "KEY",
        ],
        ["game.ndjson"],
    ],
    ids=" ".join,
)
def test_what_would_prove_nothing_is_refused(asked: list[str]) -> None:
    keys = {"KEY": (SAMPLES / "log.key").read_text(encoding="utf-8")}
    assert run(*(keys.get(each) or (SAMPLES / each if "." in each else each) for each in asked)) == 1


def test_a_leaf_before_the_first_is_refused() -> None:
    """With bits of a number below zero, it would be taken for the last leaf."""
    with pytest.raises(verifier.WrongError, match="no such leaf"):
        verifier.root_of(bytes(32), -1, 2, [bytes(32)])


Lines = list[bytes]

FORGERIES: dict[str, Callable[[Lines], Lines]] = {
    "a byte of a line": lambda ls: [*ls[:3], ls[3].replace(b'"version":3', b'"version":4'), *ls[4:]],
    "an entry left out": lambda ls: [*ls[:3], *ls[4:]],
    "the end left out": lambda ls: ls[:-1],
    "two entries swapped": lambda ls: [*ls[:3], ls[4], ls[3], *ls[5:]],
    "a key twice": lambda ls: [*ls[:3], ls[3].replace(b'"data":', b'"data":{},"data":', 1), *ls[4:]],
    "an escape": lambda ls: [*ls[:3], ls[3].replace(b'"data"', b'"d\\u0061ta"', 1), *ls[4:]],
    "a blank": lambda ls: [*ls[:3], ls[3].replace(b'":', b'": ', 1), *ls[4:]],
    "CR LF": lambda ls: [*ls[:3], ls[3] + b"\r", *ls[4:]],
    "a mark taken away": lambda ls: [ls[0], _without(ls[1], "erased"), *ls[2:]],
    "a mark by another": lambda ls: [ls[0], _marked(ls[1]), *ls[2:]],
    "another content": lambda ls: [*ls[:8], ls[8].replace("棋譜".encode(), "棋士".encode()), *ls[9:]],
    "a salt in capitals": lambda ls: [*ls[:8], _in_capitals(ls[8]), *ls[9:]],
    "a salt": lambda ls: [*ls[:8], ls[8].replace(b'"salt":"', b'"salt":"00', 1), *ls[9:]],
}


def _without(line: bytes, name: str) -> bytes:
    """A line without a member, as a member that nobody knows."""
    return line.replace(f'"{name}"'.encode(), b'"gone"', 1)


def _in_capitals(line: bytes) -> bytes:
    salt = json.loads(line)["opened"]["text"]["salt"]
    return line.replace(salt.encode(), salt.upper().encode())


def _marked(line: bytes) -> bytes:
    by = json.loads(line)["erased"]["text"]["by"]
    return line.replace(f'"by":"{by}"'.encode(), b'"by":"somebody"')


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("view", ["record", "public"])
def test_a_forged_sample_is_refused_by_both(tmp_path: Path, view: str, name: str) -> None:
    lines = (SAMPLES / f"game.{view}.ndjson").read_bytes().removesuffix(b"\n").split(b"\n")
    forged = FORGERIES[name](lines)
    assert forged != lines
    file = tmp_path / "forged.ndjson"
    file.write_bytes(b"\n".join(forged) + b"\n")
    assert run(file) == 1
    assert not verify_export(forged).sound


@pytest.mark.parametrize("at", [0, 1, 3])
def test_what_is_no_part_of_an_entry_is_passed_over_by_both(tmp_path: Path, at: int) -> None:
    content = (SAMPLES / "game.record.ndjson").read_bytes()
    lines = content.split(b"\n")
    file = tmp_path / "marked.ndjson"
    file.write_bytes(b"\xef\xbb\xbf" + b"\n".join([*lines[: at + 1], b"", *lines[at + 1 :]]))
    assert run(file) == 0
    assert verify_export(file.read_bytes().split(b"\n")).sound


def test_several_records_of_a_file_are_proved_by_both(tmp_path: Path) -> None:
    """Each once: what follows the second header belongs to the second record."""
    one = (SAMPLES / "game.record.ndjson").read_bytes()
    other = sorted((SAMPLES.parent / "golden" / "events").glob("*.ndjson"))[-1].read_bytes()
    both = tmp_path / "both.ndjson"
    for content, sound in (
        (one + other, True),
        (b"\xef\xbb\xbf" + other + b"\n" + one, True),
        (one + one, False),
        (one + other.partition(b"\n")[0] + b"\n", False),
        (one.partition(b"\n")[0] + b"\n" + other + one.partition(b"\n")[2], False),
    ):
        both.write_bytes(content)
        assert (run(both) == 0) == sound
        assert verify_export(content.split(b"\n")).sound == sound


@pytest.mark.parametrize("value", ["true", "2.0", '"2"', "3", "null"])
def test_a_header_with_another_version_of_the_format_is_refused_by_both(tmp_path: Path, value: str) -> None:
    file = tmp_path / "game.ndjson"
    content = (
        (SAMPLES / "game.record.ndjson")
        .read_bytes()
        .replace(b'"format_version":2', f'"format_version":{value}'.encode(), 1)
    )
    file.write_bytes(content)
    assert run(file) == 1
    assert not verify_export(content.split(b"\n")).sound


def test_an_old_record_is_proved() -> None:
    for golden in sorted((SAMPLES.parent / "golden" / "events").glob("*.ndjson")):
        assert run(golden) == 0, golden.name


def test_a_game_of_any_ruleset_is_proved(api: Api, tmp_path: Path) -> None:
    sheet = api.open(ruleset="scoresheet", seats=[{}, {}], title="Half points")
    file = tmp_path / "sheet.ndjson"
    file.write_bytes(api.get(f"/v1/games/{sheet}/export").data)
    assert run(file) == 0
