"""The ruleset keeps what rulesets promise."""

from click.testing import CliRunner

from service.cli.commands import kifu


def test_the_ruleset_keeps_every_promise() -> None:
    """As `kifu rulesets check reversi` says."""
    assert CliRunner().invoke(kifu, ["rulesets", "check", "reversi"]).exit_code == 0
