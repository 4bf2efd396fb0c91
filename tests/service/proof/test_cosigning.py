"""Receipts that witnesses of others have cosigned, by C2SP `tlog-witness`."""

from __future__ import annotations

import importlib.util
import logging
import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from events.tree.checkpoints import open_checkpoint
from events.tree.cosigning import parse_cosigners
from events.tree.notes import COSIGNATURE, BadNoteError, Signer, Verifier, parse_verifier
from events.tree.receipts import parse_receipt
from service.app import create_app
from service.cli.commands import kifu
from service.server import failing
from service.settings import BadSettingError, Settings, from_environment
from service.witnesses import LONGEST, Witnesses
from tests.service.conftest import Api
from tests.service.tlog_witness import Answer, TlogWitness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.tree.receipts import Receipt

STRANGER = Signer("witness.example/w1", COSIGNATURE, bytes(range(32)))
KEY = str(STRANGER.verifier)
SCRIPT = Path(__file__).parents[3] / "examples/verify.py"


@pytest.fixture
def key(api: Api) -> Verifier:
    return parse_verifier(api.get("/v1/tree/key").text)


@pytest.fixture
def witness(key: Verifier) -> Iterator[TlogWitness]:
    yield from TlogWitness(key).run()


@pytest.fixture
def witnesses(api: Api, witness: TlogWitness) -> Witnesses:
    return asking(api, witness.line)


def asking(api: Api, lines: str) -> Witnesses:
    return Witnesses(api.app.context.tree, parse_cosigners(lines), api.app.context.settings.data)


def health(api: Api) -> tuple[str, dict[str, str]]:
    found = api.get("/v1/health").get_json()
    return found["status"], found["failing"]


def receipt(api: Api, game: str, version: int) -> Receipt:
    answer = api.get(f"/v1/games/{game}/events/{version}/receipt")
    assert answer.status_code == 200, answer.text
    return parse_receipt(answer.text)


def grow(api: Api) -> str:
    game = api.play("ALOA-BARI")
    api.catch_up()
    return game


@pytest.mark.slow
def test_a_receipt_says_when_a_witness_knew_its_entry(
    api: Api, key: Verifier, witness: TlogWitness, witnesses: Witnesses, tmp_path: Path
) -> None:
    game = grow(api)
    with pytest.raises(BadNoteError, match="has not cosigned"):
        receipt(api, game, 2).cosigned_at(witness.signer.verifier)
    witnesses.ask()
    found = receipt(api, game, 2)
    found.check(key)
    assert found.cosigned_at(witness.signer.verifier) == witness.now
    shown = open_checkpoint(api.get("/v1/tree/checkpoint").text, key)
    assert shown.note.signed_by(witness.signer.verifier) == witness.now
    export, file = tmp_path / "game.ndjson", tmp_path / "receipt"
    export.write_bytes(api.get(f"/v1/games/{game}/export").data)
    file.write_text(str(found), encoding="utf-8")
    command = ["verify", str(export), "--receipt", str(file), "--key", str(key), "--witness"]
    proved = CliRunner().invoke(kifu, [*command, str(witness.signer.verifier)])
    assert proved.exit_code == 0, proved.output
    assert "witness.example/w1 cosigned this at 2026-09-21T14:13:20Z" in " ".join(proved.stdout.split())
    refused = CliRunner().invoke(kifu, [*command, KEY])
    assert refused.exit_code == 1
    assert "witness.example/w1 has not cosigned it" in " ".join(refused.stderr.split())
    assert CliRunner().invoke(kifu, [*command, str(key)]).exit_code == 1, "the log itself is no witness"
    script = _script()
    assert script.main([*command[1:], str(witness.signer.verifier)]) == 0
    assert script.main([*command[1:], KEY]) == 1


def _script() -> object:
    spec = importlib.util.spec_from_file_location("verifier", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_witness_gets_each_checkpoint_once_with_the_proof_that_it_goes_on(
    api: Api, witness: TlogWitness, witnesses: Witnesses
) -> None:
    first = grow(api)
    for _ in range(3):
        witnesses.ask()
    assert (len(witness.asked), witness.size) == (1, api.app.context.tree.size)
    second = grow(api)
    new = receipt(api, second, 1)
    with pytest.raises(BadNoteError):
        new.cosigned_at(witness.signer.verifier)
    old = receipt(api, first, 1)
    assert old.cosigned_at(witness.signer.verifier), "a date once given stays"
    witness.now += 60
    witnesses.ask()
    assert len(witness.asked) == 2
    for game in (first, second):
        assert receipt(api, game, 1).cosigned_at(witness.signer.verifier) == witness.now


def test_a_witness_that_knows_an_older_tree_gets_the_proof_from_there(
    api: Api, witness: TlogWitness, witnesses: Witnesses
) -> None:
    """After a restart, or when another host asked it: it says what it knows."""
    grow(api)
    witnesses.ask()
    cosigned = witness.size
    grow(api)
    api.app.context.tree.cosigned = None
    witnesses.ask()
    assert [body.split("\n")[0] for body in witness.asked] == ["old 0", "old 0", f"old {cosigned}"]
    assert witness.size == api.app.context.tree.size == api.app.context.tree.cosigned.checkpoint.size


@pytest.mark.slow
def test_cosignatures_outlive_the_process_and_other_processes_see_them(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with _app(settings) as api:
        key = parse_verifier(api.get("/v1/tree/key").text)
        game = grow(api)
        with contextmanager(TlogWitness(key).run)() as witness:
            asking(api, witness.line).ask()
        grow(api)
    with _app(settings) as api:
        assert receipt(api, game, 1).cosigned_at(witness.signer.verifier) == witness.now
        (tmp_path / "tree/checkpoint.cosigned").write_text("nothing", encoding="utf-8")
    with _app(settings) as api, pytest.raises(BadNoteError):
        receipt(api, game, 1).cosigned_at(witness.signer.verifier)


@contextmanager
def _app(settings: Settings) -> Iterator[Api]:
    app = create_app(settings)
    try:
        yield Api(app)
    finally:
        app.close()


OTHER = str(STRANGER.sign("another text\n", 5))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200),
        Answer(200, "no signature\n"),
        Answer(200, OTHER),
        Answer(200, "x" * (LONGEST + 1)),
        Answer(200, OTHER * 200),
        Answer(302, "elsewhere"),
        Answer(404),
        Answer(409, "5\n"),
        Answer(409, "1000\n", "text/x.tlog.size"),
        Answer(409, "none\n", "text/x.tlog.size"),
        Answer(500, "\N{SNOWMAN}"),
    ],
)
def test_a_witness_that_does_not_cosign_changes_nothing_and_is_named_once(
    api: Api, witness: TlogWitness, witnesses: Witnesses, caplog: pytest.LogCaptureFixture, answer: Answer
) -> None:
    game = grow(api)
    before = api.get("/v1/tree/checkpoint").text
    witness.instead = answer
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            witnesses.ask()
    assert [record.message.startswith("the witness witness.example/w1 does not") for record in caplog.records] == [True]
    status, found = health(api)
    assert (status, [*found]) == ("degraded", ["witness witness.example/w1"])
    assert api.get("/v1/tree/checkpoint").text == before
    assert (
        receipt(api, game, 1).note.signatures == open_checkpoint(before, receipt(api, game, 1).verifier).note.signatures
    )
    witness.instead = None
    witnesses.ask()
    assert receipt(api, game, 1).cosigned_at(witness.signer.verifier)
    assert health(api) == ("ok", {})


def test_health_says_why_a_witness_does_not_cosign_while_somebody_asks_it(
    api: Api, witness: TlogWitness, witnesses: Witnesses
) -> None:
    """Those who administer see why. A note that nobody makes anew is passed over."""
    grow(api)
    witness.instead = Answer(403, "not this log")
    witnesses.ask()
    why = health(api)[1]["witness witness.example/w1"]
    assert "status 403" in why
    assert "not this log" in why
    api.token, owner = None, api.token
    assert health(api) == ("degraded", {}), "others see no more than that"
    api.token = owner
    file = api.app.context.settings.data / failing.WITNESSES
    old = time.time() - failing.LASTING - 1
    os.utime(file, (old, old))
    assert health(api) == ("ok", {})
    witnesses.ask()
    assert health(api)[0] == "degraded"


def test_a_witness_that_is_away_does_not_keep_the_others_from_cosigning(
    api: Api, key: Verifier, witness: TlogWitness
) -> None:
    game = grow(api)
    with contextmanager(TlogWitness(key, "gone").run)() as gone:
        line = gone.line
    asking(api, f"# ours\n{line}\n{witness.line}").ask()
    assert receipt(api, game, 1).cosigned_at(witness.signer.verifier)
    with pytest.raises(BadNoteError):
        receipt(api, game, 1).cosigned_at(gone.signer.verifier)


def test_a_witness_does_not_cosign_another_past(api: Api, witness: TlogWitness, witnesses: Witnesses) -> None:
    grow(api)
    witness.size, witness.root = 1, bytes(32)
    witnesses.ask()
    assert [body.split("\n")[0] for body in witness.asked] == ["old 0", "old 1"]
    assert api.app.context.tree.cosigned is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (f"\n{KEY}\n", "line 2: write the key"),
        (f"{KEY} ftp://a.example", "line 1: 'ftp://a.example' is not an address"),
        (f"{KEY[:-1]}x https://a.example", "line 1: that is not a key"),
        ("nothing+1+2 https://a.example", "line 1: "),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}", "line 1"),
        (b"\xff", "decode"),
        (None, "No such file"),
    ],
)
def test_a_file_that_names_no_witness_is_refused_at_the_start(tmp_path: Path, content: str | None, why: str) -> None:
    file = tmp_path / "witnesses"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadSettingError, match="KIFU_WITNESSES=") as caught:
        from_environment({"KIFU_WITNESSES": str(file)})
    assert why in str(caught.value)


def test_a_key_that_does_not_cosign_is_no_witness(key: Verifier) -> None:
    with pytest.raises(BadNoteError, match="does not cosign"):
        parse_cosigners(f"{key} https://a.example")


def test_a_running_service_asks_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the setting alone, in the process that leads."""
    monkeypatch.setattr("service.witnesses.SPACING", 0.05)
    with _app(Settings(data=tmp_path / "data")) as api:
        key = parse_verifier(api.get("/v1/tree/key").text)
    with contextmanager(TlogWitness(key).run)() as witness:
        (tmp_path / "witnesses").write_text(witness.line, encoding="utf-8")
        with _app(Settings(data=tmp_path / "data", witnesses=str(tmp_path / "witnesses"))) as api:
            api.play("ALOA-BARI")
            assert witness.has_cosigned.wait(60)
            assert until(lambda: api.app.context.tree.cosigned)


def until(holds: Callable[[], object]) -> bool:
    deadline = time.monotonic() + 60
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(holds())
