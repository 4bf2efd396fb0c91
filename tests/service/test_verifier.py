"""`examples/verify.py` proves what Kifu writes, knows nothing of Kifu, and finds every change."""

from __future__ import annotations

import importlib.util
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import goldens
from tests.vectors import FOLDER, VIEWS, make

if TYPE_CHECKING:
    from tests.service.conftest import Api

PROGRAM = Path(__file__).parents[2] / "examples" / "verify.py"
spec = importlib.util.spec_from_file_location("verify", PROGRAM)
assert spec is not None
assert spec.loader is not None
verifier: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)


def prove_all(folder: Path) -> None:
    """Prove every vector of a folder. Raises what the program finds."""
    read = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    key, witness = read["key"], read["witness.key"]
    for view in VIEWS:
        entries = verifier.prove_export((folder / f"{view}.ndjson").read_bytes())
    assert verifier.prove_receipt(read["entry-4.tlog-proof"], key, entries)["version"] == 4
    old, old_root = verifier.prove_checkpoint(read["older.checkpoint"], key)
    new, root = verifier.prove_checkpoint(read["newer.checkpoint"], key)
    proof = [bytes.fromhex(each) for each in json.loads(read["consistency.json"])["proof"]]
    verifier.prove_consistency(old, new, old_root, root, proof)
    assert verifier.prove_checkpoint(read["cosigned.checkpoint"], witness) == (new, root)
    assert verifier.prove_checkpoint(read["cosigned.checkpoint"], key) == (new, root)


def test_the_vectors_are_proved() -> None:
    prove_all(FOLDER)


def test_new_vectors_are_proved_too(tmp_path: Path) -> None:
    make(tmp_path / "vectors", tmp_path / "data")
    prove_all(tmp_path / "vectors")


def test_the_program_is_short_and_imports_nothing_of_kifu() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    found = set(re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE))
    assert found <= {"__future__", "argparse", "json", "sys", "base64", "hashlib", "pathlib", "cryptography"}


@pytest.mark.parametrize("view", VIEWS)
def test_any_changed_byte_of_an_entry_is_found(view: str) -> None:
    content = (FOLDER / f"{view}.ndjson").read_bytes()
    start, chance = content.index(b"\n") + 1, random.Random(view)
    for _ in range(300):
        at = chance.randrange(start, len(content) - 1)
        if re.search(rb'"erased":\{[^{]*\{[^}]*$', content[content.rindex(b"\n", 0, at) + 1 : at]):
            continue  # who erased something, and when, is in no hash
        changed = content[:at] + bytes([content[at] ^ (1 << chance.randrange(7))]) + content[at + 1 :]
        try:
            verifier.prove_export(changed)
        except (verifier.WrongError, ValueError):
            continue
        line = content[: at + 1].rpartition(b"\n")[2]
        pytest.fail(f"byte {at} was changed unnoticed: {line[-60:]!r}")


@pytest.mark.parametrize("name", ["entry-4.tlog-proof", "older.checkpoint", "consistency.json"])
def test_any_changed_letter_of_a_proof_is_found(name: str, tmp_path: Path) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content, chance = (FOLDER / name).read_text(encoding="utf-8"), random.Random(name)
    hexes = [at for at, sign in enumerate(content) if sign.isalnum()]
    if name == "consistency.json":
        hexes = [at for at in hexes if at > content.index("[")]
    for at in chance.sample(hexes, 60):
        other = "b" if content[at] == "a" else "a"
        (tmp_path / name).write_text(content[:at] + other + content[at + 1 :], encoding="utf-8")
        with pytest.raises((verifier.WrongError, ValueError, AssertionError, IndexError)):
            prove_all(tmp_path)


@pytest.mark.parametrize("ruleset", ["kahuna", "verraeter", "manapani", "catan_cards", "scoresheet"])
def test_exports_of_recorded_games_are_proved_from_every_view(api: Api, ruleset: str) -> None:
    sample = sorted((goldens.FOLDER / ruleset).glob("*.txt"))[0]
    answer = api.request("POST", "/v1/imports", data=sample.read_bytes(), content_type="text/plain")
    assert answer.status_code == 201, answer.text
    game = answer.get_json()["game"]
    for seat in ("record", "public", "0"):
        exported = api.get(f"/v1/games/{game}/export?format=ndjson&seat={seat}").data
        assert len(verifier.prove_export(exported)) == answer.get_json()["version"]
