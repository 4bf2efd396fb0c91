"""What proves a record, put together: signatures, receipts, witnesses, erasing, importing, moving, forks, backups."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from events.tree.notes import parse_verifier
from events.tree.receipts import parse_receipt
from events.tree.witness import ContradictionError, Witness
from events.verification import verify_export
from service.cli.commands import kifu as command
from service.cli.proof.witness import watch
from tests.service.entries import entry, info, recorded_entry, rule, send, timeline
from tests.service.proof.test_signing import made_by_curve, made_by_edwards, signature
from tests.service.proof.test_witness import URL, play, serving
from tests.service.recording.test_erasing import WORD, erase, traces

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

NDJSON = "application/x-ndjson"


def hiding(api: Api) -> str:
    """A game with a title, a hidden card, a reason of a broken rule, and a note. Each of them can be erased."""
    game = api.open(title=f"{WORD} 1")
    assert api.record(game, "deal black BARI COCO DUDA", "b-d", "-", "+?gola", "-").status_code == 201
    recorded_entry(send(api, game, entry("move.made", move="d-e", override={"reason": f"{WORD} 2"})))
    recorded_entry(send(api, game, entry("note.added", text=f"{WORD} 3")))
    rule(api, game, "points seat=White points=1", reason=f"{WORD} 4")
    return game


def erase_all(api: Api, game: str) -> None:
    for number in range(1, info(api, game)["version"] + 1):
        for part in ("text", "hidden"):
            assert erase(api, game, number, part).status_code == 200


@pytest.mark.slow
def test_what_is_erased_after_it_was_signed_leaves_the_signatures_and_the_receipts_whole(
    api: Api, elsewhere: Api, tmp_path: Path
) -> None:
    game = hiding(api)
    recorded_entry(send(api, game, signature(api, game, 0, make=made_by_edwards)))
    recorded_entry(send(api, game, signature(api, game, 1, make=made_by_curve)))
    api.catch_up()
    receipt = parse_receipt(api.get(f"/v1/games/{game}/events/7/receipt").text)
    erase_all(api, game)
    assert traces(tmp_path / "data") == []
    key = parse_verifier(api.get("/v1/tree/key").text)
    for seat in ("record", "public", "1"):
        content = api.get(f"/v1/games/{game}/export?seat={seat}").data
        assert verify_export(content.splitlines()).sound, seat
        receipt.check(key)
        assert receipt.hash.hex() in content.splitlines()[7].decode()
        taken = elsewhere.request("POST", "/v1/imports", data=content, content_type=NDJSON)
        assert taken.status_code == 201, taken.text
    signed = [each["signed"] for each in timeline(elsewhere, game) if each["type"] == "record.signed"]
    assert [each["changed_by"] for each in signed] == [[], []]


def test_what_is_corrected_after_its_receipt_was_given_is_proved_by_it_as_it_was(api: Api) -> None:
    game = hiding(api)
    api.catch_up()
    receipt = parse_receipt(api.get(f"/v1/games/{game}/events/3/receipt").text)
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-e", keep="all")))
    receipt.check(parse_verifier(api.get("/v1/tree/key").text))
    content = api.get(f"/v1/games/{game}/export?seat=public").data
    assert verify_export(content.splitlines()).sound
    assert receipt.hash.hex() in content.splitlines()[3].decode()


@pytest.mark.slow
def test_a_fork_of_an_erased_game_brings_back_nothing_and_invents_nothing(api: Api, tmp_path: Path) -> None:
    game = hiding(api)
    erase_all(api, game)
    answer = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())})
    assert answer.status_code == 201, answer.text
    fork = answer.get_json()["game"]
    assert traces(tmp_path / "data") == []
    assert "(sealed)" not in api.get(f"/v1/games/{fork}/export").text
    assert (
        api.get(f"/v1/games/{fork}/score").get_json()["scores"]
        == api.get(f"/v1/games/{game}/score").get_json()["scores"]
    )


@pytest.mark.slow
def test_a_witness_sees_no_change_in_what_is_erased_or_brought_in_erased(tmp_path: Path, elsewhere: Api) -> None:
    memory = Witness(tmp_path / "witness")
    with serving(tmp_path / "club") as (api, client):
        game = hiding(api)
        api.catch_up()
        watch(client, memory, URL, None)
        erase_all(api, game)
        guest = hiding(elsewhere)
        before = elsewhere.get(f"/v1/games/{guest}/export").data
        erase_all(elsewhere, guest)
        for content in (elsewhere.get(f"/v1/games/{guest}/export").data, before):
            assert api.request("POST", "/v1/imports", data=content, content_type=NDJSON).status_code == 201
        api.catch_up()
        seen, now = watch(client, memory, URL, None)
        assert seen is not None
        entries = [info(api, each)["version"] for each in (game, guest)]
        assert (seen.checkpoint.size, now.checkpoint.size) == (9, sum(entries))
    assert traces(tmp_path / "club") == []
    with serving(tmp_path / "club") as (api, client):
        assert api.app.context.tree.stopped is None
        watch(client, memory, URL, None)


@pytest.mark.slow
def test_a_witness_goes_on_with_a_log_that_moved_and_what_is_joined_and_erased_there(
    tmp_path: Path, database: str, elsewhere: Api
) -> None:
    memory, data = Witness(tmp_path / "witness"), tmp_path / "club"
    game = hiding(elsewhere)
    files = [elsewhere.get(f"/v1/games/{game}/export?seat={seat}").data for seat in ("public", "record")]
    erase_all(elsewhere, game)
    files.append(elsewhere.get(f"/v1/games/{game}/export").data)
    with serving(data) as (api, client):
        assert api.request("POST", "/v1/imports", data=files[0], content_type=NDJSON).status_code == 201
        api.catch_up()
        before = watch(client, memory, URL, None).now.checkpoint
    moved = CliRunner().invoke(
        command, ["move", "--to", database], env={"KIFU_DATA": str(data), "KIFU_DATABASE_URL": ""}
    )
    assert moved.exit_code == 0, moved.output
    with serving(data, database) as (api, client):
        after = watch(client, memory, URL, None).now.checkpoint
        assert (after.origin, after.size, after.root) == (before.origin, before.size, before.root)
        new = len(files[2].splitlines()) - len(files[1].splitlines())
        for content, opened, brought in ((files[1], True, 0), (files[2], False, new), (files[1], False, 0)):
            answer = api.request("POST", "/v1/imports", data=content, content_type=NDJSON)
            assert (answer.status_code, answer.headers["Kifu-New-Entries"]) == (201, str(brought)), answer.text
            written = api.get(f"/v1/games/{game}/export").text
            assert (WORD in written, "GOLA" in written) == (opened, opened)
            assert ("GOLA" in str(api.get(f"/v1/games/{game}/state").get_json()["state"]["hands"])) is opened
        api.catch_up()
        after = watch(client, memory, URL, None).now.checkpoint
        assert (after.origin, after.size) == (before.origin, before.size + new)
        play(api, 1)
        assert watch(client, memory, URL, None).now.checkpoint.size == before.size + new + 4
        copy = api.get(f"/v1/games/{game}/export").data.splitlines()
        assert copy[1:] == files[2].splitlines()[1:]


@pytest.mark.parametrize("longer", [0, 2, 5])
@pytest.mark.slow
def test_a_backup_from_before_the_witness_looked_is_named_however_far_it_goes_on(tmp_path: Path, longer: int) -> None:
    memory = Witness(tmp_path / "witness")
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
    shutil.copytree(tmp_path / "club", tmp_path / "backup")
    with serving(tmp_path / "club") as (api, client):
        play(api, 2)
        watch(client, memory, URL, None)
    with serving(tmp_path / "backup") as (api, client):
        play(api, longer)
        with pytest.raises(ContradictionError) as caught:
            watch(client, memory, URL, None)
        assert caught.value.evidence is not None
        why = {0: "an older tree, of 4 entries", 2: "two trees of 12 entries", 5: "do not begin with the 12"}
        assert why[longer] in str(caught.value)
