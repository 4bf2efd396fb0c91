"""Clients in plain HTTP, for tests. A client for TLS first reads all authorities, which takes 25 ms."""

from __future__ import annotations

import ssl

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""The argument `verify` of `httpx`: it trusts nobody, so nothing is read."""
