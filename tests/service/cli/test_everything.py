"""Everything at once: an archive out of one service, and into another one."""

from __future__ import annotations

import io
import json
from hashlib import sha256
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from events import limits
from service.exchange import archives

from .conftest import Kifu

SHEET = '{"name": "Our rummy", "columns": [{"id": "points", "name": "Points"}]}'


@pytest.fixture
def elsewhere(tmp_path) -> Kifu:
    """Another data folder."""
    return Kifu(tmp_path / "elsewhere")


@pytest.fixture
def games(kifu) -> list[str]:
    return [kifu.play("deal black BARI COCO DUDA\nb-d\nnote rain\n"), kifu.play("deal black BARI COCO DUDA\n")]


@pytest.fixture
def archive(kifu, games, tmp_path):
    file = tmp_path / "all.zip"
    kifu("components", "put", "scoresheet", "rummy", "-", stdin=SHEET)
    kifu("export", "--all", file)
    return file


def files_of(archive) -> dict[str, bytes]:
    with ZipFile(archive) as found:
        return {name: found.read(name) for name in found.namelist()}


def write(archive, files, *, named=True):
    """An archive of other files, with a manifest that fits them."""
    header = json.loads(files.pop(archives.MANIFEST).splitlines()[0]) | {"files": len(files)}
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
    for game in games:
        assert json.loads(elsewhere("show", game, "--json")) == json.loads(kifu("show", game, "--json"))
    assert elsewhere("players", "list") == kifu("players", "list")
    assert elsewhere("components", "show", "scoresheet", "rummy") == kifu("components", "show", "scoresheet", "rummy")
    assert "Sound: 6 entries of 2 games." in elsewhere("verify")


def test_clubs_are_in_an_archive_and_come_back_with_their_games(kifu, elsewhere, games, tmp_path):
    club = json.loads(kifu("clubs", "found", "Thursday Club", "--json"))["club"]
    kifu("clubs", "attach", club, games[0])
    file = tmp_path / "clubs.zip"
    kifu("export", "--all", file)
    told = elsewhere("import", file)
    assert f"club {club}: new" in told
    assert json.loads(elsewhere("clubs", "show", club, "--json"))["games"] == [games[0]]
    assert f"club {club}: same" in elsewhere("import", file)


def test_a_club_is_exported_proved_and_taken_in(kifu, elsewhere, tmp_path):
    club, file = json.loads(kifu("clubs", "found", "Thursday Club", "--json"))["club"], tmp_path / "club.ndjson"
    kifu("clubs", "export", club, file)
    assert "Sound" in kifu("verify", file)
    elsewhere("import", file)
    assert json.loads(elsewhere("clubs", "show", club, "--json"))["name"] == "Thursday Club"
    assert kifu.run("clubs", "export", club, file).exit_code != 0  # it is there already


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
        (lambda files: files | {"../evil": b"x"}, "'../evil' is no file of an archive"),
        (lambda files: files | {"games/x.exe": b"x"}, "'games/x.exe' is no file"),
        (lambda files: files | {archives.TRAIL: bytes(limits.IMPORT + 1)}, "bytes; at most"),
        (lambda files: files | {archives.MANIFEST: b'{"format":"other"}'}, "manifest.ndjson cannot be read"),
    ],
    ids=["path-traversal", "other-name", "zip-bomb", "other-format"],
)
def test_a_bad_archive_is_refused_whole(elsewhere, archive, spoil, why):
    write(archive, spoil(files_of(archive)))
    assert why in elsewhere.fails("import", archive)
    assert "rummy" not in elsewhere("components", "list", "scoresheet")


def test_a_name_that_stands_twice_a_missing_manifest_and_half_a_file_are_refused(elsewhere, archive):
    whole = archive.read_bytes()
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(archive, "a") as target:
        target.writestr(archives.PEOPLE, b"")
    assert "people.ndjson stands in it twice" in elsewhere.fails("import", archive)
    archive.write_bytes(whole[: len(whole) // 2])
    assert "no whole zip file" in elsewhere.fails("import", archive)
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


def test_an_export_that_breaks_off_leaves_no_file(kifu, games, tmp_path, monkeypatch):
    def broken(self, *arguments):
        raise OSError("the disk is full")

    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.setattr(archives.ArchiveWriter, "finish", broken)
    assert "the disk is full" in kifu.fails("export", "--all", folder / "all.zip")
    assert list(folder.iterdir()) == []


def test_a_damaged_game_is_left_out_and_named(kifu, games, tmp_path, monkeypatch):
    from events.errors import DamagedError
    from service.api.routes import transfers

    real = transfers.export_record

    def damaged(archive, game, **more):
        if game == games[0]:
            raise DamagedError(game, 2, "its hash does not match")
        return real(archive, game, **more)

    monkeypatch.setattr(transfers, "export_record", damaged)
    file = tmp_path / "all.zip"
    assert f"game {games[0]} is left out" in kifu.fails("export", "--all", file)
    header = json.loads(files_of(file)[archives.MANIFEST].splitlines()[0])
    assert list(header["left_out"]) == [games[0]]
    assert header["counts"]["games"] == 1


def test_all_takes_one_file_and_refuses_options_of_one_game(kifu, games, tmp_path):
    assert "With --all" in kifu.fails("export", "--all", tmp_path / "all.zip", "--names", code=2)
    (tmp_path / "all.zip").write_bytes(b"")
    assert "exists already" in kifu.fails("export", "--all", tmp_path / "all.zip")


def test_a_record_under_the_name_of_another_game_is_refused(elsewhere, games, archive):
    files = files_of(archive)
    one, other = map(archives.game_file, games)
    files[one], files[other] = files[other], files[one]
    write(archive, files)
    told = elsewhere.run("import", archive)
    assert told.stderr.count("it is the record of another game") == 2
    assert "0 new" not in told.stdout  # the template is


def test_an_archive_goes_through_pipes(kifu, elsewhere, games, archive):
    piped = kifu.run("export", "--all", "-")
    assert piped.exit_code == 0
    assert files_of(io.BytesIO(piped.stdout_bytes)).keys() == files_of(archive).keys()
    told = elsewhere.run("import", "-", stdin=piped.stdout_bytes)
    assert told.exit_code == 0, told.output
    assert [f"game {game}: new" in told.stdout for game in games] == [True, True]
    assert "0 new, 0 changed" in elsewhere.run("import", "-", stdin=piped.stdout_bytes).stdout
    assert elsewhere.run("import", "-", stdin=piped.stdout_bytes[:-100]).exit_code == 1
