"""Figures of two commits: a figure that got worse is found, if more is better or if less is."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as running
from benchmarks import check, figures, peers
from benchmarks.__main__ import USUAL, modules
from benchmarks.table import Row
from tests.cases import cases
from tests.choosing import soak_except

ROOT = Path(__file__).parents[1]

OF_THE_API = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if "from service.api" in path.read_text())

RUN = """
from benchmarks.table import Row
def run():
    return [Row("appends", {0}, "1/s", 100.0, {0} / 100, ">= 0.5")]
"""


HAS_A_CHILD = """
import subprocess, sys
waiting = "import time; print(flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", waiting], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


def row(value: float, target: str = ">= 1", ratio: float | None = None, name: str = "it") -> Row:
    return Row(name, value, "ms", None, ratio, target)


@cases(
    ("before", "after", "target", "fell"),
    [
        (100, 95, ">= 1", False),
        (100, 85, ">= 1", True),
        (100, 150, ">= 1", False),
        (100, 105, "<= 200", False),
        (100, 115, "<= 200", True),
        (100, 50, "<= 200", False),
    ],
)
def test_a_figure_that_got_worse_by_more_than_a_tenth_fell(
    before: float, after: float, target: str, fell: bool
) -> None:
    (found,) = figures.changes([[row(before, target)]], [[row(after, target)]])
    assert found.fell is fell


@pytest.mark.parametrize(("words", "names"), [([], USUAL), (["all"], tuple(modules())), (["tree"], ("tree",))])
def test_the_usual_groups_are_measured_and_it_is_said_how_far_they_are(
    words: list[str], names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def found(name: str) -> SimpleNamespace:
        ran.append(name.removeprefix("benchmarks."))
        return SimpleNamespace(run=lambda: [row(2, name=name[-3:])])

    monkeypatch.setattr(running, "import_module", found)
    assert running.main(words) == 0
    assert tuple(ran) == names
    said = capsys.readouterr()
    assert [line.rpartition(",")[0] for line in said.err.splitlines()] == [
        f"{number} of {len(names)}: {name}" for number, name in enumerate(names, 1)
    ]
    assert f" {names[-1][-3:]} " in said.out


def test_a_group_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert running.main(["tree", "trees"]) == 2
    assert "no benchmark trees; choose one of access, " in capsys.readouterr().out


def test_the_ratio_counts_and_the_median_of_the_rounds() -> None:
    before = [[row(1000, ratio=0.5)], [row(1000, ratio=0.5)], [row(1000, ratio=5.0)]]
    after = [[row(10, ratio=0.5)], [row(10, ratio=0.49)], [row(10, ratio=0.01)]]
    (found,) = figures.changes(before, after)
    assert (found.before, found.after, found.fell) == (0.5, 0.49, False)


def test_only_what_both_have_and_what_has_a_target_is_compared() -> None:
    assert not figures.changes([[row(1, name="old"), row(9, "")]], [[row(1, name="new"), row(1, "")]])


def test_figures_come_back_from_their_file_as_they_were() -> None:
    rows = [row(1.5), Row("other", 2, "1/s", 4, 0.5, "")]
    assert figures.decode(figures.encode(rows)) == rows


def test_kept_figures_come_back_with_machine_and_day_and_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "released.json"
    assert figures.kept(path) == {}
    figures.keep({"append": [row(1.0, ratio=0.5)], "http": [row(2.0)]}, path)
    figures.keep({"append": [row(3.0, ratio=0.6)]}, path)
    found = figures.kept(path)
    assert {name: group.rows for name, group in found.items()} == {
        "append": [row(3.0, ratio=0.6)],
        "http": [row(2.0)],
    }
    assert {group.machine for group in found.values()} == {figures.machine()}
    assert all(len(group.day) == len("2026-11-28") for group in found.values())


def test_only_ratios_and_sizes_mean_the_same_on_another_machine() -> None:
    rows = [row(9.0), row(9.0, ratio=0.5, name="ratio"), Row("size", 250, "bytes", target="<= 300")]
    assert [each.name for each in figures.comparable(rows)] == ["ratio", "size"]


@pytest.mark.parametrize(("ratio", "code"), [(0.50, 0), (0.47, 0), (0.44, 1)])
def test_a_checkout_fails_that_is_slower_than_the_release(
    monkeypatch: pytest.MonkeyPatch, ratio: float, code: int
) -> None:
    released = {"append": figures.Group("some machine", "2026-11-28", [row(1.0, ratio=0.5)])}
    monkeypatch.setattr(check, "kept", lambda: released)
    monkeypatch.setattr(check, "measure", lambda *_: [row(9.0, ratio=ratio), row(9.0, name="more")])
    assert check.main(["append"]) == code
    assert check.main(["http"]) == 2


@pytest.mark.programs
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--base", "no-such-commit", "append"], "there is no commit no-such-commit"),
        (["--base", "HEAD", "appends"], "no benchmark appends in both; here are access, "),
        (["--base", "HEAD", "table"], "no benchmark table in both; here are access, "),
        (["appends"], "no figures are kept of appends, only of append, "),
        (["append"], "none of these figures has a target, or is on both sides"),
    ],
)
def test_what_cannot_be_compared_is_named_and_did_not_fall(
    words: list[str], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "measure", lambda *_: [row(9.0, ratio=0.5, name="renamed")])
    assert check.main(words) == 2
    assert why in " ".join(capsys.readouterr().out.split())


def test_groups_that_the_release_did_not_keep_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        check, "kept", lambda: {"append": figures.Group("a machine", "2026-11-28", [row(1.0, ratio=1)])}
    )
    monkeypatch.setattr(check, "measure", lambda *_: [row(1.0, ratio=1)])
    assert check.main([]) == 0
    assert "projections: not kept, so not compared" in capsys.readouterr().out


def test_the_released_figures_can_be_read_and_have_ratios() -> None:
    for name, group in figures.kept().items():
        assert name in modules()
        assert group.machine
        assert figures.comparable(group.rows)


@pytest.mark.programs
def test_each_folder_is_measured_with_its_own_code(tmp_path: Path) -> None:
    measured = []
    for value in (80.0, 40.0):
        package = tmp_path / str(value) / "benchmarks"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        shutil.copy(ROOT / "benchmarks" / "table.py", package)
        (package / "mine.py").write_text(RUN.format(value))
        measured.append(figures.measure(package.parent, ["mine"]))
    (found,) = figures.changes(measured[:1], measured[1:])
    assert (found.before, found.after, found.fell) == (0.8, 0.4, True)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
@pytest.mark.programs
def test_the_figures_of_a_process_have_those_of_its_children() -> None:
    with subprocess.Popen([sys.executable, "-c", HAS_A_CHILD], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert peers.family(process.pid) == {process.pid, child}
            assert peers.memory(process.pid) > peers.memory(child) > 0
            assert peers.used(process.pid) >= peers.used(child) >= 0
        finally:
            process.kill()
            os.kill(child, signal.SIGKILL)


@pytest.mark.programs
@pytest.mark.parametrize("name", soak_except(OF_THE_API, OF_THE_API[0]))
def test_a_benchmark_of_the_api_starts_by_itself(name: str) -> None:
    subprocess.run([sys.executable, "-c", f"import benchmarks.{name}"], cwd=ROOT, check=True)
