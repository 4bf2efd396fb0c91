"""The OpenAPI document for the tests, made once per process because that takes a sixth of a second."""

from __future__ import annotations

from functools import cache

from service.api.openapi import document

specification = cache(document.specification)
