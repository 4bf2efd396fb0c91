"""Templates are compiled once for all processes of a run."""

from __future__ import annotations

import sys

import pytest

from tests import warm

pytestmark = pytest.mark.programs

DRAWING = """
import jinja2
from service.app import site_of
from service.settings import Settings

compiled = []
compile_template = jinja2.Environment.compile


def compile_and_count(self, source, name=None, *words, **more):
    compiled.append(name)
    return compile_template(self, source, name, *words, **more)


jinja2.Environment.compile = compile_and_count
site = site_of(Settings())
with site.test_request_context():
    site.jinja_env.get_template("error.html")
print(compiled)
"""


def compiled() -> str:
    """The templates that a program compiles to draw a page."""
    done = warm.run([sys.executable, "-c", DRAWING], text=True)
    assert not done.returncode, done.stderr
    return str(done.stdout).strip()


def test_a_template_that_one_program_has_compiled_is_ready_for_the_next_one() -> None:
    assert compiled() in {"['error.html']", "[]"}, "another test can have drawn it"
    assert compiled() == "[]"
