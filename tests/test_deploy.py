"""What lies in `deploy/` names settings, commands and paths that there are."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path

import msgspec
import pytest
import yaml

from service.api.context import CONNECTIONS, CONNECTIONS_WEB
from service.cli.commands import kifu
from service.settings import Settings, from_environment
from tests.cases import cases

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())


@cases("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_is_named_is_one(path: Path) -> None:
    known = {f"KIFU_{field.name.upper()}" for field in msgspec.structs.fields(Settings)}
    assert set(re.findall(r"\bKIFU_[A-Z_]+\b", path.read_text())) <= known


def test_the_services_unit_starts_a_command_that_there_is_with_settings_that_are_taken() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "kifu@.service")
    program, *words = unit["Service"]["ExecStart"].split()
    assert (Path(program).name, words[0] in kifu.commands) == ("kifu", True)
    shared = dict(line.split("=", 1) for line in (DEPLOY / "kifu.env").read_text().splitlines() if line[:1] not in "#")
    own = dict(each.split("=", 1) for each in unit["Service"]["Environment"].replace("%i", "1").split())
    assert unit["Service"]["KillMode"] == "mixed", "the supervisor stops its children, in their order"
    settings = from_environment(shared | own)
    assert (settings.port, settings.proxies) == (8081, 1)
    assert str(settings.data).startswith("/var/lib/" + unit["Service"]["StateDirectory"].replace("%i", "1"))
    assert f"127.0.0.1:{settings.port} " in (DEPLOY / "nginx.conf").read_text()


def test_the_compose_file_has_hosts_that_share_a_database_and_a_cache() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    for name in ("one", "two"):
        settings = from_environment(services[name]["environment"])
        assert settings.database_url.startswith("postgresql://kifu_service@db/")
        assert settings.redis_url == "redis://cache:6379/0"
        assert services[name]["volumes"] == [f"{name}:/data", "key:/key"]
        assert settings.tree_key == "/key/tree.key", "hosts of one database sign with one key"
    assert services["prepared"]["command"][0] in kifu.commands
    assert set(compose["volumes"]) == {"db", "key", "one", "two"}
    allowed = int(services["db"]["command"][-1].removeprefix("max_connections="))
    assert allowed >= 2 * (CONNECTIONS + CONNECTIONS_WEB)
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        assert {config["source"] for config in service.get("configs", ())} <= set(compose["configs"])
    assert f"create role {services['prepared']['command'][1]} " in compose["configs"]["role"]["content"]
    lines = (DEPLOY / "Containerfile").read_text()
    for path in re.findall(r"^COPY ([a-z].*) \./$", lines, re.MULTILINE)[0].split():
        assert (DEPLOY.parent / path).exists()


@pytest.mark.parametrize("name", ["nginx.conf", "compose.yaml"])
def test_any_host_is_asked_anything(name: str) -> None:
    """Devices that wait to be let in are known to all: no path leads to a host of its own."""
    content = (DEPLOY / name).read_text()
    assert set(re.findall(r"\bupstream (\w+)", content)) == {"kifu"}
    assert re.findall(r"location (.*?) \{\s*proxy_pass (\S+);", content) == [("/", "http://kifu")]
    (servers,) = re.findall(r"upstream kifu \{(.*?)\}", content, re.DOTALL)
    assert len(re.findall(r"server [^;]*;", servers)) == 2
    assert "backup" not in servers


def test_the_service_is_installed_with_the_versions_that_are_tested() -> None:
    """What `make run` installs is a part of what `make test` installs, to the hash."""
    service, everything = (_locked(name) for name in ("requirements.run.lock", "requirements.lock"))
    assert service.items() <= everything.items()
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert set(map(_name, needed)) <= service.keys()
    assert "pytest" in everything.keys() - service.keys()


def _locked(name: str) -> dict[str, str]:
    """By names of packages, their versions and hashes in a lock file."""
    blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    return {_name(block): " ".join(block.split()) for block in blocks}


def _name(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]
