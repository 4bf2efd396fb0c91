"""The document on standard output: `python -m service.api.openapi`."""

from __future__ import annotations

import sys

from service.api.openapi.document import description

if __name__ == "__main__":
    sys.stdout.write(description())
