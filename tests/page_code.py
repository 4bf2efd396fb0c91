"""The code of pages: its format, its style and its types. `make lint` runs it (`python -m tests.page_code`).

The tools come from npm, by the lock file in `service/pages`. Where node, npm or the registry is missing, this says that
nothing was checked, and passes: nothing that is shipped needs them. `--write` formats the code.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

import click

from tests.documents import ROOT
from tests.npm import NpmError, node_modules

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ROOT / "service" / "pages"
SCRIPTS = ROOT / "tests" / "service" / "pages" / "scripts"
"""The tests of the code that run in node."""
API = ROOT / "openapi.yaml"
TYPES = PAGES / "types" / "api.d.ts"
"""The types of the API's answers, made from `openapi.yaml`; they are not committed."""

PATIENCE = 300


def tool(name: str) -> Path:
    """The path of a tool. Raises `NpmError`."""
    return node_modules(PAGES) / ".bin" / name


def make_types() -> None:
    """Generate the types of the API's answers, if they do not match `openapi.yaml`. Raises `NpmError`."""
    made_of = f"// {sha256(API.read_bytes() + (PAGES / 'package-lock.json').read_bytes()).hexdigest()}\n"
    with node_modules(PAGES).with_name("types").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests run in parallel, and two of them read these types
        if TYPES.exists() and TYPES.read_text(encoding="utf-8").startswith(made_of):
            return
        made = _run(tool("openapi-typescript"), API)
        if made.returncode:
            raise NpmError(f"openapi-typescript makes no types: {made.stderr.strip()}")
        TYPES.write_text(made_of + made.stdout, encoding="utf-8")


def checked(project: Path = PAGES / "tsconfig.json") -> str:
    """The errors of the TypeScript compiler in a project; empty if there are none. Raises `NpmError`."""
    make_types()
    return _run(tool("tsc"), "--project", project).stdout.strip()


def styled(*, write: bool = False) -> str:
    """The errors of the linter and formatter; empty if there are none. Raises `NpmError`."""
    arguments = ["check", "--write"] if write else ["ci", "--error-on-warnings"]
    done = [_run(tool("biome"), *arguments, "--colors=off", ".", folder=folder) for folder in (PAGES, SCRIPTS)]
    return "\n".join(f"{each.stdout}{each.stderr}".strip() for each in done if each.returncode)


def _run(command: Path, *arguments: Path | str, folder: Path = PAGES) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, *arguments], cwd=folder, timeout=PATIENCE, capture_output=True, text=True, check=False
    )


def main() -> None:
    """Check the code of pages. Prints the errors, and fails if there are any."""
    try:
        complaints = [said for said in (styled(write="--write" in sys.argv), checked()) if said]
    except NpmError as why:
        click.echo(f"The code of pages was not checked: {why}.")
        return
    click.echo("\n".join(complaints) or "The code of pages is formatted, linted and typed.")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
