"""The compose file as it is: its database is prepared, and its two hosts run behind its nginx, where nginx is there.

No container runs here. The names of the services in the file stand for addresses on this machine.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
import yaml
from click.testing import CliRunner

from service.cli.commands import kifu
from tests import postgres as server
from tests.plain_http import PLAIN
from tests.ports import free_port
from tests.service.conftest import DEAL
from tests.service.fleet import SERVICE, Host
from tests.test_deploy import DEPLOY
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(NGINX is None, reason="nginx is missing: the proxy of the compose file was not run"),
]

FILE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CONFIGURATION = """
daemon off; master_process off; pid {folder}/pid; error_log stderr; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {site}
}}
"""
"""What the image of nginx has around the file that the compose file gives it."""


@pytest.fixture
def settings(database: str, redis_url: str, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings of the file's hosts, over a database that was prepared as the file says."""
    name = database.partition("?")[0].rpartition("/")[2]
    prepared, role = FILE["services"]["prepared"], FILE["configs"]["role"]["content"]
    with psycopg.connect(server.server(), autocommit=True) as connection:
        connection.execute(role.replace("kifu_service", f"{name}_service"))
    words = [word.replace("kifu_service", f"{name}_service") for word in prepared["command"]]
    made = CliRunner().invoke(kifu, words, env={"KIFU_DATABASE_URL": database})
    assert made.exit_code == 0, made.output
    yield FILE["services"]["one"]["environment"] | {
        "KIFU_DATABASE_URL": server.url(name, f"{name}_service"),
        "KIFU_REDIS_URL": redis_url,
        "KIFU_TREE_KEY": str(tmp_path / "tree.key"),
    }
    server.as_superuser(name, f"drop owned by {name}_service")
    with psycopg.connect(server.server(), autocommit=True) as connection:
        connection.execute(f"drop role {name}_service")


@contextmanager
def proxy(folder: Path, hosts: list[Host]) -> Iterator[str]:
    """The file's nginx before these hosts; where it listens."""
    port, site = free_port(), FILE["configs"]["proxy"]["content"].replace("$$", "$")
    for name, host in zip(("one", "two"), hosts, strict=True):
        site, found = re.subn(rf"server {name}:8080 ", f"server 127.0.0.1:{host.http.base_url.port} ", site)
        assert found == 1
    site, found = re.subn(r"listen 80;", f"listen 127.0.0.1:{port};", site)
    assert found == 1
    with nginx(folder, site, port):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def nginx(folder: Path, site: str, port: int) -> Iterator[None]:
    """An nginx that listens on a port of a site."""
    folder.mkdir()
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, site=site))
    process = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        until(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, "nginx takes the file's configuration"
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.empty_database
def test_two_hosts_behind_the_proxy_are_one_service(settings: dict[str, str], tmp_path: Path) -> None:
    hosts = [Host(tmp_path / name, **settings).start(*SERVICE) for name in ("one", "two")]
    try:
        one, two = (host.up() for host in hosts)
        with (
            proxy(tmp_path / "nginx", [one, two]) as url,
            httpx.Client(base_url=url, timeout=PATIENCE, verify=PLAIN) as http,
        ):
            http.headers["Authorization"] = one.http.headers["Authorization"]
            shows_both_hosts_with_one_key(http, one, two)
            game = records_and_follows(http, one)
            believes_the_proxy_about_clients(http, url)
            takes_a_file_of_more_than_a_megabyte(http)
            goes_on_without_one_host(http, one, game)
    finally:
        for host in hosts:
            host.close()


def shows_both_hosts_with_one_key(http: httpx.Client, one: Host, two: Host) -> None:
    names = {host.http.get("/v1/health").json()["host"] for host in (one, two)}
    seen = set[str]()
    until(lambda: seen.add(http.get("/v1/health").json()["host"]) or seen == names)
    assert one.http.get("/v1/tree/key").text == two.http.get("/v1/tree/key").text


def records_and_follows(http: httpx.Client, one: Host) -> str:
    """A stream comes through at once: nothing is held back until it ends."""
    game = one.open()
    with http.stream("GET", f"/v1/games/{game}/stream") as stream:
        lines = stream.iter_lines()
        assert http.post(f"/v1/games/{game}/events", json=_deal()).status_code == 201
        assert next(line for line in lines if line.startswith("id: 2"))
    return game


def _deal() -> dict[str, Any]:
    return {"events": [{"id": "018f0000-0000-7000-8000-00000000c0de", "data": {"move": DEAL}}]}


def believes_the_proxy_about_clients(http: httpx.Client, url: str) -> None:
    """The name in the address of an invitation is the proxy's, and a client cannot choose another."""
    asked = http.post("/v1/oauth/device_authorization", data={"client_id": "x", "scope": "games:read"})
    assert asked.json()["verification_uri"].startswith(f"{url}/")
    forged = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    asked = http.post("/v1/oauth/device_authorization", data={"client_id": "x", "scope": "games:read"}, headers=forged)
    assert asked.json()["verification_uri"].startswith(f"{url}/")


def takes_a_file_of_more_than_a_megabyte(http: httpx.Client) -> None:
    """The limit of nginx, if nothing is said, is a megabyte: the answer is that of the service."""
    answer = http.post("/v1/imports", content=b"x" * 2_000_000, headers={"Content-Type": "application/x-ndjson"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.status_code == 400


def goes_on_without_one_host(http: httpx.Client, one: Host, game: str) -> None:
    one.http.get("/v1/health").raise_for_status()
    token = one.http.post("/v1/tokens", json={"name": "phone", "role": "recorder"}).json()["token"]
    one.close()
    http.headers["Authorization"] = f"Bearer {token}"
    answers = [http.get(f"/v1/games/{game}/state") for _ in range(6)]
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["version"] for answer in answers} == {2}
