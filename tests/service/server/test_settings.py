"""Settings: what can be none is refused by the name of its variable."""

from __future__ import annotations

import msgspec
import pytest

from service.settings import BadSettingError, Settings, from_environment

TEXTS = {"data", "host", "database_url", "replica_url", "redis_url", "tree_key", "witnesses", "bgg_token", "bgg_url"}
"""What they name is looked for when it is needed."""

CHOSEN = [f"KIFU_{field.name.upper()}" for field in msgspec.structs.fields(Settings) if field.name not in TEXTS]
NONSENSE = ["", "nonsense", "-1", "nan", "0x10", "1_0", "\u0663", "9" * 20, "9" * 5000, "\udcff"]


@pytest.mark.parametrize("variable", CHOSEN)
def test_nonsense_is_refused_by_the_name_of_the_setting(variable: str) -> None:
    for text in NONSENSE:
        with pytest.raises(BadSettingError, match=f"^{variable} is ") as refused:
            from_environment({variable: text})
        assert len(str(refused.value)) < 150


@pytest.mark.parametrize(
    ("variable", "text", "told"),
    [
        ("KIFU_HTTPS", "maybe", "KIFU_HTTPS is true or false, not 'maybe'"),
        ("KIFU_METRICS", "all", "KIFU_METRICS is owner or open, not 'all'"),
        ("KIFU_PORT", "99999", "KIFU_PORT is a whole number from 0 to 65535, not '99999'"),
        ("KIFU_QUIET", "0", "KIFU_QUIET is a number above 0 and up to 60, not '0'"),
        ("KIFU_REST", "long", "KIFU_REST is a number from 0 to 86400, not 'long'"),
    ],
)
def test_a_refused_setting_says_in_words_what_it_may_be(variable: str, text: str, told: str) -> None:
    with pytest.raises(BadSettingError) as refused:
        from_environment({variable: text})
    assert str(refused.value) == told
