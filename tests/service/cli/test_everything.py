"""Everything at once: an archive out of one service, and into another one."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import tracemalloc
from collections import Counter
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from events import limits
from service.cli.exchange import everything
from service.exchange import archives
from tests.choosing import short_or_soak

from .conftest import Kifu

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.service("kept")]

SHEET = '{"name": "Our rummy", "columns": [{"id": "points", "name": "Points"}]}'


@pytest.fixture
def elsewhere(tmp_path) -> Kifu:
    """Another data folder."""
    return Kifu(tmp_path / "elsewhere")


class Recorded(NamedTuple):
    """Two games in a data folder, and in another one the same with a sheet, and with an archive of all beside it."""

    games: list[str]
    data: Path
    with_sheet: Path
    archive: Path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Recorded:
    """What is recorded once for all tests: each of them has a copy."""
    folder = tmp_path_factory.mktemp("recorded")
    kifu = Kifu(folder / "with sheet")
    games = [kifu.play("deal black BARI COCO DUDA\nb-d\nnote rain\n"), kifu.play("deal black BARI COCO DUDA\n")]
    made = Recorded(games, folder / "games", kifu.data, folder / "all.zip")
    shutil.copytree(kifu.data, made.data)
    kifu("components", "put", "scoresheet", "rummy", "-", stdin=SHEET)
    kifu("export", "--all", made.archive)
    return made


@pytest.fixture
def games(kifu, recorded) -> list[str]:
    kifu.take_copy(recorded.data)
    return recorded.games


@pytest.fixture
def archive(kifu, games, recorded, tmp_path):
    kifu.take_copy(recorded.with_sheet)
    return shutil.copy(recorded.archive, tmp_path / "all.zip")


def files_of(archive) -> dict[str, bytes]:
    with ZipFile(archive) as found:
        return {name: found.read(name) for name in found.namelist()}


def write(archive, files, *, named=True):
    """An archive of other files, with a manifest that fits them."""
    header = json.loads(files.pop(archives.MANIFEST).splitlines()[0]) | {"files": len(files), "signature": ""}
    lines = [{"name": name, "size": len(each), "sha256": sha256(each).hexdigest()} for name, each in files.items()]
    with ZipFile(archive, "w", ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
        if named:
            target.writestr(archives.MANIFEST, "".join(json.dumps(line) + "\n" for line in [header, *lines]))


def test_an_archive_makes_the_same_games_people_and_templates_elsewhere(kifu, elsewhere, games, archive):
    told = elsewhere("import", archive)
    assert [f"game {game}: new" in told for game in games] == [True, True]
    assert "templates rummy: new" in told
    assert "people Anna: new" in told
    assert ": same" not in told, "nothing was here before"
    for game in games:
        assert json.loads(elsewhere("show", game, "--json")) == json.loads(kifu("show", game, "--json"))
    assert elsewhere("players", "list") == kifu("players", "list")
    assert elsewhere("components", "show", "scoresheet", "rummy") == kifu("components", "show", "scoresheet", "rummy")
    assert "Sound: 6 entries of 2 games." in elsewhere("verify")


def test_clubs_are_in_an_archive_and_come_back_with_their_games(kifu, elsewhere, games, tmp_path):
    club = json.loads(kifu("clubs", "create", "Thursday Club", "--json"))["club"]
    kifu("clubs", "attach", club, games[0])
    file = tmp_path / "clubs.zip"
    kifu("export", "--all", file)
    told = elsewhere("import", file)
    assert f"club {club}: new" in told
    assert json.loads(elsewhere("clubs", "show", club, "--json"))["games"] == [games[0]]
    assert f"club {club}: same" in elsewhere("import", file)


def test_a_club_is_exported_proved_and_taken_in(kifu, elsewhere, tmp_path):
    club, file = json.loads(kifu("clubs", "create", "Thursday Club", "--json"))["club"], tmp_path / "club.ndjson"
    kifu("clubs", "export", club, file)
    assert "Sound" in kifu("verify", file)
    elsewhere("import", file)
    assert json.loads(elsewhere("clubs", "show", club, "--json"))["name"] == "Thursday Club"
    assert kifu.run("clubs", "export", club, file).exit_code != 0  # it is there already


def test_a_damaged_name_merge_or_box_is_left_out_and_said_to_be(kifu, elsewhere, games, tmp_path):
    """With them, a new checksum would make them sound in the other service."""
    file = tmp_path / "all.zip"
    for seat, name in enumerate(("Ada", "Adamantine"), 1):
        kifu("seat", games[0], seat, name)
    for sheet in ("rummy", "whist"):
        kifu("components", "put", "scoresheet", sheet, "-", stdin=SHEET)
    with closing(sqlite3.connect(kifu.data / "kifu.db")) as connection, connection:
        connection.execute("update person set name = 'Adb' where name = 'Ada'")
        connection.execute("update component set created_at = created_at + 1 where name = 'rummy'")
    told = kifu.run("export", "--all", file)
    assert (told.exit_code, "2 damaged" in told.stderr) == (1, True), told.output
    files = files_of(file)
    assert b"Adb" not in b"".join(files.values())
    assert [json.loads(line)["name"] for line in files["templates.ndjson"].splitlines()] == ["whist"]
    assert json.loads(files[archives.MANIFEST].splitlines()[0])["counts"]["damaged"] == 2
    for command in (("verify", file), ("import", file)):
        assert "2 damaged" in elsewhere.run(*command).stderr
    assert "Adb" not in elsewhere("players", "list")
    assert "Adamantine" in elsewhere("players", "list")


def test_a_second_import_stores_nothing(elsewhere, archive):
    elsewhere("import", archive)
    before = elsewhere("games", "--json"), elsewhere("players", "list", "--json")
    assert "0 new, 0 changed" in elsewhere("import", archive)
    assert before == (elsewhere("games", "--json"), elsewhere("players", "list", "--json"))


def test_a_game_that_went_on_is_changed_and_what_differs_here_stays(kifu, elsewhere, games, archive, tmp_path):
    elsewhere("import", archive)
    elsewhere("components", "put", "scoresheet", "rummy", "-", stdin=SHEET.replace("Our", "Their"))
    kifu("note", games[0], "late")
    later = tmp_path / "later.zip"
    kifu("export", "--all", later)
    result = elsewhere.run("import", later)
    assert result.exit_code == 1
    assert f"game {games[0]}: changed" in result.stdout
    assert "templates rummy: other components have this name here; they stay" in result.stderr
    assert "0 new, 1 changed" in result.stdout
    assert "Their rummy" in elsewhere("components", "show", "scoresheet", "rummy")


def test_the_manifest_states_each_file_with_its_size_and_hash_and_the_tree(archive):
    files = files_of(archive)
    header, *lines = map(json.loads, files.pop(archives.MANIFEST).splitlines())
    assert (header["format"], header["format_version"], header["files"]) == ("kifu.archive", 1, len(files))
    assert header["counts"]["games"] == 2
    assert header["counts"]["entries"] == 6
    assert {each["name"]: (each["size"], each["sha256"]) for each in lines} == {
        name: (len(content), sha256(content).hexdigest()) for name, content in files.items()
    }
    assert b"\n6\n" in files[archives.CHECKPOINT]
    assert (len(files[archives.ENTRIES]), header["covered"]) == (6 * 34, 6)
    assert files[archives.TRAIL]


def test_no_secret_is_in_an_archive(kifu, archive):
    secret = (kifu.data / "owner.token").read_text().strip()
    assert secret
    assert not any(secret.encode() in content for content in files_of(archive).values())


def test_one_bad_game_keeps_no_other_out(elsewhere, games, archive):
    files = files_of(archive)
    bad = archives.game_file(games[0])
    files[bad] = files[bad].replace(b"BARI", b"ELAI")
    write(archive, files)
    result = elsewhere.run("import", archive)
    assert result.exit_code == 1
    assert f"game {games[1]}: new" in result.stdout
    assert f"game {games[0]}: Invalid import: line 3: edited" in result.stderr
    assert "1 refused" in result.stdout


def test_a_file_that_differs_from_the_manifest_is_refused_alone(elsewhere, games, archive):
    files = files_of(archive)
    with ZipFile(archive, "w", ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content.replace(b"BARI", b"ELAI") if games[0] in name else content)
    failed = elsewhere.run("import", archive)
    assert f"game {games[0]}: its SHA-256 is not that of the manifest" in failed.stderr
    assert f"game {games[1]}: new" in failed.stdout


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda files: files | {"../evil": b"x"}, "'../evil' is not a file of an archive"),
        (lambda files: files | {"games/x.exe": b"x"}, "'games/x.exe' is not a file"),
        (lambda files: files | {archives.TRAIL: bytes(limits.IMPORT + 1)}, "bytes; at most"),
        (lambda files: files | {archives.MANIFEST: b'{"format":"other"}'}, "manifest.ndjson cannot be read"),
    ],
    ids=["path-traversal", "other-name", "zip-bomb", "other-format"],
)
def test_a_bad_archive_is_refused_whole(elsewhere, archive, spoil, why):
    write(archive, spoil(files_of(archive)))
    assert why in elsewhere.fails("import", archive)
    assert not elsewhere.data.exists()  # not even a record was begun


def test_a_name_that_stands_twice_a_missing_manifest_and_half_a_file_are_refused(elsewhere, archive):
    whole = archive.read_bytes()
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(archive, "a") as target:
        target.writestr(archives.PEOPLE, b"")
    assert "people.ndjson stands in it twice" in elsewhere.fails("import", archive)
    archive.write_bytes(whole[: len(whole) // 2])
    assert "not a complete zip file" in elsewhere.fails("import", archive)
    archive.write_bytes(whole)
    write(archive, files_of(archive), named=False)
    assert "it has no manifest.ndjson" in elsewhere.fails("import", archive)


def test_a_file_that_the_manifest_does_not_name_is_refused(elsewhere, archive):
    with ZipFile(archive, "a") as target:
        target.writestr("games/00000000-0000-7000-8000-000000000000.ndjson", b"")
    assert "only the archive or only its manifest has games/" in elsewhere.fails("import", archive)


def test_an_erased_name_comes_back_only_if_that_is_said(kifu, games, tmp_path):
    kifu.open("--black", "Aiko")
    archive = tmp_path / "all.zip"
    kifu("export", "--all", archive)
    kifu("players", "erase", "Aiko", "--yes")
    assert "this person has no name here" in kifu.fails("import", archive)
    kifu("import", archive, "--erased", "omit")
    assert "Aiko" not in kifu("players", "list")
    kifu("import", archive, "--erased", "restore")
    assert "Aiko" in kifu("players", "list")


def exported_games(monkeypatch) -> list[str]:
    """The games that an export asks for, as it asks."""
    asked: list[str] = []
    real = everything._not_exported

    def noted(client, record, content):
        asked.append(record.id)
        return real(client, record, content)

    monkeypatch.setattr(everything, "_not_exported", noted)
    return asked


def interrupted(kifu, file, monkeypatch, after: int) -> None:
    """An export that ends after some games: somebody pulls the plug."""
    real, done = everything._not_exported, []

    def ends(client, record, content):
        if len(done) == after:
            raise OSError("the plug was pulled")
        done.append(record.id)
        return real(client, record, content)

    with monkeypatch.context() as patched:
        patched.setattr(everything, "_not_exported", ends)
        told = kifu.run("export", "--all", file)
    assert told.exit_code == 1
    assert "Repeat the command to continue" in told.stderr
    assert not file.exists()


def test_an_interrupted_export_goes_on_where_it_stopped(kifu, elsewhere, games, tmp_path, monkeypatch):
    file = tmp_path / "all.zip"
    third = kifu.play("deal black BARI COCO DUDA\n")
    interrupted(kifu, file, monkeypatch, after=2)
    asked = exported_games(monkeypatch)
    kifu("export", "--all", file)
    assert len(asked) == 1, "the other two were there"
    assert not file.with_name("all.zip.part").exists()
    header = json.loads(files_of(file)[archives.MANIFEST].splitlines()[0])
    assert (header["counts"]["games"], header["left_out"]) == (3, {})
    told = elsewhere("import", file)
    assert [f"game {game}: new" in told for game in (*games, third)] == [True] * 3


def test_an_export_goes_on_from_any_cut(kifu, games, archive, tmp_path, monkeypatch):
    whole, names = archive.read_bytes(), files_of(archive).keys()
    file = tmp_path / "cut" / "all.zip"
    file.parent.mkdir()
    for end in range(0, len(whole), max(1, len(whole) // short_or_soak(5, 12))):
        file.unlink(missing_ok=True)
        file.with_name("all.zip.part").write_bytes(whole[:end] + b"\0" * (end % 3))
        if end < 4:
            file.with_name("all.zip.part").unlink()
        kifu("export", "--all", file)
        assert files_of(file).keys() == names
        with ZipFile(file) as found:
            assert found.testzip() is None


def test_what_changed_since_an_interruption_is_exported_anew_and_leaves_no_byte(kifu, games, tmp_path, monkeypatch):
    file = tmp_path / "all.zip"
    kifu.play("deal black BARI COCO DUDA\n")
    interrupted(kifu, file, monkeypatch, after=2)
    kifu("note", games[1], "the rain stopped")
    asked = exported_games(monkeypatch)
    kifu("export", "--all", file)
    assert asked == [games[1], games[0]]
    assert b"the rain stopped" in files_of(file)[archives.game_file(games[1])]
    with ZipFile(file) as found:
        assert found.testzip() is None
        assert len(found.namelist()) == len(set(found.namelist()))
        whole = {info.header_offset for info in found.infolist()}
    raw, name = file.read_bytes(), archives.game_file(games[1]).encode()
    old = next(at for at in range(len(raw)) if raw[at + 30 :].startswith(name) and raw[at:].startswith(b"PK\3\4"))
    assert old not in whole
    packed = int.from_bytes(raw[old + 18 : old + 22], "little")
    begins = old + 30 + len(name)
    assert packed > 100
    assert raw[begins : begins + packed] == bytes(packed)


def test_a_file_that_an_interruption_closed_too_early_is_not_kept(tmp_path):
    file, name = tmp_path / "all.zip", archives.game_file(str(UUID(int=1)))

    def pieces():
        yield b'{"events": 2}\nfirst\n'
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), file.open("w+b") as target, archives.ArchiveWriter(target) as writer:
        writer.add(name, pieces())
    with file.open("r+b") as target, archives.ArchiveWriter(target) as writer:
        found = writer.finished(name)
        assert found is None or found.lines == 2, "it says that a line is missing"
        writer.finish("2026-01-01T00:00:00.000Z", {}, {})


def test_a_file_that_is_no_part_of_an_export_is_left_alone(kifu, games, tmp_path):
    part = tmp_path / "all.zip.part"
    part.write_bytes(b"my diary")
    assert "is not a part of an export" in kifu.fails("export", "--all", tmp_path / "all.zip")
    assert part.read_bytes() == b"my diary"


@pytest.mark.parametrize("games", [3_000, pytest.param(100_000, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
def test_an_archive_of_many_games_takes_no_more_memory_than_one_of_few(tmp_path, games):
    """The list of files is on disk while the archive is written, gone on with, and read."""
    names = [archives.game_file(str(UUID(int=number))) for number in range(games)]
    record = b"".join(b'{"game": %d}\n' % number for number in range(40))
    file = tmp_path / "many.zip"
    tracemalloc.start()
    with file.open("w+b") as target, archives.ArchiveWriter(target) as writer:
        for name in names:
            writer.add(name, [record])
    with file.open("r+b") as target, archives.ArchiveWriter(target) as writer:
        for name in names:
            assert writer.finished(name).head == b'{"game": 0}'
            writer.keep(name)
        writer.finish("2026-01-01T00:00:00.000Z", {"games": games}, {})
    with file.open("rb") as target:
        reader = archives.ArchiveReader(target)
        assert (reader.count, sum(1 for _ in reader.records())) == (games, games)
        assert reader.read(names[-1]) == record
        reader.close()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_damaged_game_is_left_out_and_named(kifu, games, tmp_path, damage):
    damage(games[0])
    file = tmp_path / "all.zip"
    assert f"game {games[0]} is left out" in kifu.fails("export", "--all", file)
    header = json.loads(files_of(file)[archives.MANIFEST].splitlines()[0])
    assert list(header["left_out"]) == [games[0]]
    assert header["counts"]["games"] == 1


def test_all_takes_one_file_and_refuses_options_of_one_game(kifu, games, tmp_path):
    assert "no other option than --force" in kifu.fails("export", "--all", tmp_path / "all.zip", "--names", code=2)
    (tmp_path / "all.zip").write_bytes(b"")
    assert "exists already" in kifu.fails("export", "--all", tmp_path / "all.zip")


@pytest.mark.parametrize("name", ["people.ndjson", "templates.ndjson", "a game"])
def test_a_file_that_is_too_deep_is_refused_alone(elsewhere, games, archive, name):
    files = files_of(archive)
    files[archives.game_file(games[0]) if name == "a game" else name] = b"[" * 100_000 + b"\n"
    write(archive, files)
    for command in ("verify", "import"):
        told = elsewhere.run(command, archive)
        assert "Traceback" not in told.output
        assert not isinstance(told.exception, RecursionError)
    assert f"game {games[1]}: new" in told.stdout


def test_a_record_under_the_name_of_another_game_is_refused(kifu, elsewhere, games, archive):
    files = files_of(archive)
    one, other = map(archives.game_file, games)
    files[one], files[other] = files[other], files[one]
    write(archive, files)
    told = elsewhere.run("import", archive)
    assert told.stderr.count("it is the record of another game") == 2
    assert "0 new" not in told.stdout  # the template is
    assert kifu.run("verify", archive).stdout.count("it is the record of another game") == 2


def test_a_second_record_in_a_file_is_refused(kifu, elsewhere, games, archive):
    """Its name would be that of another game."""
    files = files_of(archive)
    one, other = map(archives.game_file, games)
    files[one] += files.pop(other)
    write(archive, files)
    for told in (elsewhere.run("import", archive), kifu.run("verify", archive)):
        assert (told.exit_code, told.output.count("it has more than one record")) == (1, 1)
    assert games[1] not in elsewhere("games", "--json")


def test_a_proof_reads_each_file_of_an_archive_once(kifu, archive, monkeypatch):
    read, unpack = Counter(), archives.unpack
    monkeypatch.setattr(archives, "unpack", lambda file, member: read.update([member.name]) or unpack(file, member))
    kifu("verify", archive)
    assert {name: count for name, count in read.items() if name.startswith("games/")} == dict.fromkeys(
        (name for name in files_of(archive) if name.startswith("games/")), 1
    )


def test_a_proof_says_where_an_entry_stands_in_its_own_record(kifu, games, archive):
    files = files_of(archive)
    name = archives.game_file(games[1])
    head, opening, deal = files[name].splitlines(keepends=True)
    write(archive, files | {name: head + opening + deal.replace(b"BARI", b"ELAI")})
    assert f"line 3, game {games[1]}, version 2, edited" in " ".join(kifu.run("verify", archive).stdout.split())
    write(archive, files | {archives.MANIFEST: files_of(archive)[archives.MANIFEST], name: b"{}\n"})
    assert f"line 1, game {games[1]}, unreadable" in " ".join(kifu.run("verify", archive).stdout.split())


def test_an_archive_goes_through_pipes(kifu, elsewhere, games, archive):
    piped = kifu.run("export", "--all", "-")
    assert piped.exit_code == 0
    assert files_of(io.BytesIO(piped.stdout_bytes)).keys() == files_of(archive).keys()
    told = elsewhere.run("import", "-", stdin=piped.stdout_bytes)
    assert told.exit_code == 0, told.output
    assert [f"game {game}: new" in told.stdout for game in games] == [True, True]
    assert "0 new, 0 changed" in elsewhere.run("import", "-", stdin=piped.stdout_bytes).stdout
    assert elsewhere.run("import", "-", stdin=piped.stdout_bytes[:-100]).exit_code == 1


# What was signed


def test_an_archive_is_held_against_what_its_service_signed(kifu, elsewhere, archive):
    key = files_of(archive)[archives.KEY].decode().strip()
    result = elsewhere.run("import", archive)
    assert result.exit_code == 0, result.stderr
    assert "Checked against a signed checkpoint of 6 entries" in " ".join(result.stderr.split())
    assert key in "".join(result.stderr.split())
    (proved,) = json.loads(elsewhere("import", archive, "--key", key, "--json"))["proved"]
    assert (proved["signed"], proved["missing"], proved["later"], proved["key"]) == (6, [], 0, key)


def test_a_game_that_was_left_out_or_shortened_is_noticed(elsewhere, games, archive):
    """Although the manifest fits: the service signed entries that are not there."""
    whole = files_of(archive)
    files = dict(whole)
    del files[archives.game_file(games[1])]
    write(archive, files)
    result = elsewhere.run("import", archive)
    assert result.exit_code == 1
    assert "checkpoint: 2 signed entries are not in the archive; the first is at place 5" in result.stderr
    assert f"game {games[0]}: new" in result.stdout


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda files: {archives.ENTRIES: files[archives.ENTRIES][34:]}, "its leaves are not those that it signed"),
        (lambda files: {archives.ENTRIES: files[archives.ENTRIES][:-1]}, "its leaves are not those that it signed"),
        (lambda files: {archives.CHECKPOINT: files[archives.CHECKPOINT].replace(b"\n6\n", b"\n5\n")}, "is false"),
        (lambda _: {archives.CHECKPOINT: b"\xff"}, "that is not a signed note"),
        (lambda _: {archives.KEY: b"x"}, "that is not a key"),
    ],
    ids=["a leaf less", "half a leaf", "another size", "no note", "no key"],
)
def test_what_was_not_signed_is_refused_whole(elsewhere, archive, spoil, why):
    files = files_of(archive)
    write(archive, files | spoil(files))
    assert why in " ".join(elsewhere.fails("import", archive).split())
    assert not elsewhere.data.exists()  # not even a record was begun


def resigned(archive, change) -> None:
    """The archive with the bytes of its manifest changed, and the checksum of the zip file with them."""
    files = files_of(archive)
    with ZipFile(archive, "w", ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, change(content, files) if name == archives.MANIFEST else content)


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest, _: manifest.replace(b'"covered":6', b'"covered":0'),
        lambda manifest, _: manifest.replace(b'"produced_by":"kifu"', b'"produced_by":"kifu","more":1'),
        lambda manifest, _: manifest.replace(b'"signature":"', b'"signature":"x'),
        lambda manifest, files: manifest.replace(
            json.dumps(json.loads(manifest.splitlines()[0])["signature"], ensure_ascii=False).encode(),
            json.dumps(files[archives.CHECKPOINT].decode(), ensure_ascii=False).encode(),
        ),
    ],
    ids=["what is covered", "a field more", "no signature", "the signature of a checkpoint"],
)
def test_a_manifest_that_was_changed_is_refused_whole(kifu, elsewhere, archive, change):
    before = files_of(archive)[archives.MANIFEST]
    resigned(archive, change)
    assert files_of(archive)[archives.MANIFEST] != before
    assert "are not valid" in " ".join(elsewhere.fails("import", archive).split())
    assert "are not valid" in " ".join(kifu.fails("verify", archive).split())
    assert not elsewhere.data.exists()  # not even a record was begun


def test_a_name_that_was_changed_is_noticed_though_the_manifest_fits(kifu, elsewhere, archive):
    """Where the key is known, a signature that was taken away is missed."""
    files = files_of(archive)
    key = files[archives.KEY].decode().strip()
    write(archive, files | {archives.PEOPLE: files[archives.PEOPLE].replace(b"Anna", b"Hanna")})
    assert "The manifest is not signed" in " ".join(kifu.run("verify", archive).stderr.split())
    assert "proves nothing of names" in " ".join(kifu.fails("verify", archive, "--key", key).split())
    assert "proves nothing of names" in " ".join(elsewhere.fails("import", archive, "--key", key).split())
    assert not elsewhere.data.exists()  # not even a record was begun


def test_an_archive_is_proved_with_all_its_records(kifu, games, archive):
    key = files_of(archive)[archives.KEY].decode().strip()
    told = kifu.run("verify", archive, "--key", key)
    assert told.exit_code == 0, told.output
    assert "Sound: 6 entries of 2 games." in told.stdout
    told = json.loads(kifu("verify", archive, "--json"))
    assert (told["sound"], told["events"]) == (True, 6)
    counts = {"signed": 6, "missing": [], "uncovered": 0, "later": 0}
    assert told["signed"] == counts | {"key": key, "manifest": True}
    files = files_of(archive)
    write(
        archive, files | {archives.game_file(games[0]): files[archives.game_file(games[0])].replace(b"BARI", b"ELAI")}
    )
    told = kifu.run("verify", archive)
    assert (told.exit_code, "edited" in told.stdout) == (1, True)


def test_an_archive_that_another_service_signed_is_refused_where_the_key_is_known(kifu, elsewhere, games, archive):
    """A forger signs anew, with another key."""
    key = files_of(archive)[archives.KEY].decode().strip()
    forged = archive.with_name("forged.zip")
    elsewhere.play("deal black BARI COCO DUDA\n")
    elsewhere("export", "--all", forged)
    assert "are not valid" in kifu.fails("import", forged, "--key", key)
    assert elsewhere.run("import", archive, "--key", key).exit_code == 0
    assert "--key works only for archives" in kifu.fails(
        "import", "-", "--key", key, stdin="deal black BARI COCO DUDA\n"
    )


def test_an_archive_without_signed_entries_is_taken_unless_a_key_is_given(elsewhere, archive):
    """As releases before wrote it, and as a stopped tree leaves it."""
    files = files_of(archive)
    key = files[archives.KEY].decode().strip()
    del files[archives.ENTRIES]
    write(archive, files)
    assert "no signed entries" in elsewhere.fails("import", archive, "--key", key)
    result = elsewhere.run("import", archive)
    assert (result.exit_code, "Held against" in result.stderr) == (0, False)


def test_what_was_recorded_during_the_export_is_no_lack(kifu, elsewhere, games, archive):
    """Signed entries that came after the first record was read may be missing. They are counted.

    Without a signature, anybody could have written that they came later.
    """
    files = files_of(archive)
    header, *lines = files[archives.MANIFEST].splitlines()
    files[archives.MANIFEST] = b"\n".join([json.dumps(json.loads(header) | {"covered": 4}).encode(), *lines])
    del files[archives.game_file(games[1])]
    write(archive, files)
    told = json.loads(kifu("verify", archive, "--json"))
    assert (told["sound"], told["signed"]["missing"], told["signed"]["uncovered"]) == (True, [], 2)
    result = elsewhere.run("import", archive)
    assert result.exit_code == 0
    assert "Signed, and not in the archive: 2 entries." in " ".join(result.stderr.split())
