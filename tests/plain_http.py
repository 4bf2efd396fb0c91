"""Clients in plain HTTP, for tests. One that may speak TLS reads all authorities first, which takes 25 ms."""

from __future__ import annotations

import ssl

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""What `httpx` takes as `verify`: it trusts nobody, so nothing is read."""
