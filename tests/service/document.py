"""The description of the API as the tests read it: made once a process, since to make it takes a sixth of a second."""

from __future__ import annotations

from functools import cache

from service.api import openapi

specification = cache(openapi.specification)
