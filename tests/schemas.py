"""`python -m tests.schemas` writes the JSON Schemas of records into `docs/schemas/`."""

from __future__ import annotations

import json
from pathlib import Path

from service.exchange import schemas

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def text(name: str) -> str:
    """The text of a schema's file."""
    return json.dumps(schemas.schema(name), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, _ in schemas.described():
        (FOLDER / f"{name}.json").write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
