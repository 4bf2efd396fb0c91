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
        with pytest.raises(BadSettingError, match=f"^{variable}="):
            from_environment({variable: text})
