"""The limits of the front. Times are in seconds, sizes in bytes."""

from __future__ import annotations

HEAD = 10.0
"""How long the head of a request may take, from its first byte or the start of the connection on."""

IDLE = 60.0
"""How long a connection may be kept between two requests."""

TRANSFER_TIMEOUT = 10.0
"""How long a body may take to come, and an answer to be taken."""

SLOWEST = 2048
"""A transfer of so many bytes a second may take as long again."""

LINGER = 2.0
"""How long what is still sent is read and dropped, so that a client sees why its request was refused."""

HEAD_SIZE = 1 << 16
"""How much of a message may be no body: its head, the sizes and extensions of chunks, trailers, and blank lines."""

CHUNK_SHARE = 8
"""Bytes of body that make up for one byte of chunk sizes: a long body comes in many chunks."""

PARSE_CHUNK = 1 << 14
"""How much is parsed at once, and so how exactly bytes are counted where one message ends and the next begins."""

IN_MEMORY = 1 << 16
"""What is kept in memory of a body that nobody has asked for yet, and of an answer that is not taken."""

SMALL_BODY_WAIT = 0.05
"""How long a small body is waited for before the application is asked whether it wants it at all."""

VANISHED = 30_000
"""Milliseconds until a TLS connection ends if the other end does not confirm what it is sent."""

ACCEPTS_AT_ONCE = 64
"""How many connections are taken at once before others have their turn, where each is looked at first."""

CONNECTIONS = 4096
"""The most connections at once, if the system grants as many files."""

ANSWERS = 128 << 20
"""What all answers together may hold that were not taken yet."""

LONGEST_WAIT = 0.1
"""How long the last in the queue waits at the present pace; a request that comes after that is refused at once."""

SHORTEST_QUEUE, LONGEST_QUEUE = 48, 512
"""How many requests may wait at least, and at most, at any pace."""

FIRST_QUEUE = 128
"""How many requests may wait before the pace is known."""

STALE = 2.0
"""How long a request may have waited for its turn and still be begun."""

RESTART = 5.0
"""How long requests wait for a process that is being started."""

UNWATCHED_WAIT = 1.0
"""How long a request that waits for a game to go on waits where nobody can tell."""

DETOUR = 2
"""How many more calls than another web server the one may have, and still gets what is about its game."""

LONG = 4
"""How many requests with large bodies are worked on at once; they do not stand in the way of the others."""

LONG_ANSWERS = 64
"""How many long answers are under way at once."""

STALE_LONG = 30.0
"""How long a request with a large body may have waited for its turn."""

RETRY_AFTER = 1
"""After how many seconds somebody who was refused is asked to come again."""
