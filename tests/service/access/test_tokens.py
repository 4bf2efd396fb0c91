"""The owner's token: what its file may hold, who may read it, and how it comes to be."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client

from events import safekeeping
from service.access.ownerfile import BadTokenError, owner_token
from service.app import create_app
from service.settings import Settings
from tests import warm

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "kifu_owner_" + "a" * 32

NO_TOKENS = {
    "a short one": b"secret\n",
    "one letter too few": b"a" * 19,
    "two lines": GOOD.encode() + b"\n" + GOOD.encode(),
    "a blank within": b"kifu_owner_ " + b"a" * 32,
    "a tab within": b"kifu_owner_\t" + b"a" * 32,
    "a NUL": b"\0" * 64,
    "a NUL after it": GOOD.encode() + b"\0",
    "no ASCII": "kifu_owner_ÿÿÿÿÿÿÿÿÿÿÿÿ".encode(),
    "no UTF-8": b"kifu_owner_" + b"\xff" * 32,
    "digits of another script": ("٣" * 32).encode(),
    "far too many letters": b"a" * 100_000,
}


@pytest.mark.parametrize("name", NO_TOKENS)
def test_what_is_no_token_is_refused_at_the_start_in_one_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / "owner.token"
    path.write_bytes(NO_TOKENS[name])
    with pytest.raises(BadTokenError) as found:
        owner_token(tmp_path)
    assert str(path) in str(found.value)
    assert "\n" not in str(found.value)
    assert path.read_bytes() == NO_TOKENS[name]


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t"], ids=["nothing", "a line end", "blanks"])
def test_an_empty_token_file_gets_a_token_and_opens_nothing_before(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "owner.token").write_bytes(content)
    app = create_app(Settings(data=tmp_path))
    try:
        assert len(app.context.owner_token) >= 40
        assert (tmp_path / "owner.token").read_text() == app.context.owner_token + "\n"
        for cookie in ("kifu_token", "kifu_session"):
            client = Client(app)
            client.set_cookie(cookie, "")
            assert client.get("/v1/feed").status_code == 401
        for header in ("Bearer ", "Bearer", "Bearer  \t", ""):
            assert Client(app).get("/v1/feed", headers={"Authorization": header}).status_code == 401
        assert Client(app).post("/login", data={"token": ""}).status_code == 401
    finally:
        app.close()


def test_a_folder_or_a_pipe_in_the_place_of_the_token_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "owner.token"
    path.mkdir()
    with pytest.raises(BadTokenError, match="is a folder"):
        owner_token(tmp_path)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(BadTokenError, match="is not a file"):
        owner_token(tmp_path)


def test_a_token_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "owner.token").symlink_to("owner.token")
    with pytest.raises(BadTokenError, match="cannot be read: Too many levels of symbolic links"):
        owner_token(tmp_path)


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["games"]], ids=" ".join)
@pytest.mark.programs
def test_a_bad_token_ends_the_command_with_one_sentence(tmp_path: Path, command: list[str]) -> None:
    data = tmp_path / "data"
    create_app(Settings(data=data)).close()
    (data / "owner.token").write_text("secret")
    line = [sys.executable, "-m", "service.cli", *command, "--data", str(data)]
    ended = warm.run(line, text=True, timeout=60)
    assert ended.returncode == 1
    told = [line for line in ended.stderr.splitlines() if not line.endswith(" does not end and is killed")]
    assert [line.startswith("kifu: ") for line in told] == [True]
    assert "owner.token holds no token" in told[0]


def test_a_bad_token_does_not_keep_the_log(tmp_path: Path) -> None:
    (tmp_path / "owner.token").write_text("secret")
    with pytest.raises(BadTokenError):
        create_app(Settings(data=tmp_path))
    (tmp_path / "owner.token").unlink()
    create_app(Settings(data=tmp_path)).close()


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604, 0o777])
def test_a_token_that_others_may_read_is_made_private(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "owner.token"
    path.write_text(GOOD)
    path.chmod(mode)
    assert owner_token(tmp_path) == GOOD
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_is_private_from_the_first_byte_on_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = []
    fsync = os.fsync

    def look(descriptor: int) -> None:
        modes.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), stat.S_IMODE(os.fstat(descriptor).st_mode)))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    old = os.umask(0)
    try:
        token = owner_token(tmp_path)
    finally:
        os.umask(old)
    assert modes[0] == (False, 0o600)
    assert modes[1][0], "the name is not forced to disk"
    assert owner_token(tmp_path) == token
    assert [path.name for path in tmp_path.iterdir()] == ["owner.token"]


def test_a_token_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "owner.token.new").write_text("half of ano")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space"):
            owner_token(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(owner_token(tmp_path)) >= 40


def test_a_secret_is_replaced_and_its_file_made_private(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o644)
    safekeeping.put(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o600)


def test_a_token_of_an_older_release_goes_on_working_until_it_is_rotated(tmp_path: Path) -> None:
    (tmp_path / "owner.token").write_text(GOOD)
    (tmp_path / "sessions.json").write_text('{"a": 1}')
    rotated = ""
    for expected in (GOOD, None):
        app = create_app(Settings(data=tmp_path))
        try:
            client, headers = Client(app), {"Authorization": f"Bearer {app.context.owner_token}"}
            assert app.context.owner_token == (expected or rotated)
            assert client.get("/v1/feed", headers=headers).status_code == 200
            if expected:
                rotated = client.post("/v1/token/rotation", headers=headers).get_json()["token"]
            assert client.get("/v1/feed", headers={"Authorization": f"Bearer {GOOD}"}).status_code == 401
        finally:
            app.close()
    assert not (tmp_path / "sessions.json").exists()
    (tmp_path / "owner.token").write_text(GOOD)
    with pytest.raises(BadTokenError, match="was revoked"):
        create_app(Settings(data=tmp_path))


@pytest.mark.parametrize("garbage", [b"", b"nonsense" * 999, b"SQLite format 3\0" + b"\xff" * 5000])
def test_garbage_in_the_place_of_the_store_of_access_is_set_aside_and_opens_nothing(
    tmp_path: Path, garbage: bytes
) -> None:
    app = create_app(Settings(data=tmp_path))
    owner = {"Authorization": f"Bearer {app.context.owner_token}"}
    made = Client(app).post("/v1/tokens", json={"name": "x", "role": "viewer"}, headers=owner).get_json()["token"]
    app.close()
    for rest in ("-wal", "-shm"):
        (tmp_path / f"access.db{rest}").unlink(missing_ok=True)
    (tmp_path / "access.db").write_bytes(garbage)
    app = create_app(Settings(data=tmp_path))
    assert Client(app).get("/v1/health").get_json()["status"] == "access-stopped"
    assert Client(app).get("/v1/feed", headers=owner).status_code == 503, "the owner decides whether to go on"
    app.context.access.accept(keeps=True)
    app.close()
    app = create_app(Settings(data=tmp_path))
    try:
        client = Client(app)
        assert client.get("/v1/feed", headers=owner).status_code == 200
        assert client.get("/v1/token", headers={"Authorization": f"Bearer {made}"}).status_code == 401
        assert stat.S_IMODE((tmp_path / "access.db").stat().st_mode) == 0o600
        health = client.get("/v1/health", headers=owner).get_json()
        assert health["status"] == "access-damaged"
        assert "set aside as access.db.damaged" in health["access"]
        assert client.get("/v1/health").get_json()["access"] is None, "whoever may not know the host knows less"
        (tmp_path / "access.db.damaged").unlink()
        app.context.catch_up()
        assert client.get("/v1/health").get_json()["status"] == "ok"
    finally:
        app.close()


@pytest.mark.parametrize("where", [0, 20, 90, 300, 2000, 4000])
@pytest.mark.parametrize("closed", [True, False])
def test_a_damaged_first_page_of_the_store_of_access_loses_nothing(tmp_path: Path, where: int, closed: bool) -> None:
    app = create_app(Settings(data=tmp_path))
    owner = {"Authorization": f"Bearer {app.context.owner_token}"}
    made = Client(app).post("/v1/tokens", json={"name": "x", "role": "viewer"}, headers=owner).get_json()["token"]
    if not closed:  # as after the power went: some of it lies in the log of the database
        for name in ("access.db", "access.db-wal"):
            shutil.copyfile(tmp_path / name, tmp_path / f"{name}.kept")
    app.close()
    path = tmp_path / "access.db"
    if not closed:
        for kept in tmp_path.glob("access.db*.kept"):
            kept.rename(kept.with_suffix(""))
    with path.open("r+b") as file:
        file.seek(where)
        file.write(b"\xff" * 64)
    app = create_app(Settings(data=tmp_path))
    try:
        client = Client(app)
        assert client.get("/v1/token", headers={"Authorization": f"Bearer {made}"}).status_code == 200
    finally:
        app.close()
    assert not list(tmp_path.glob("tmp-*"))
