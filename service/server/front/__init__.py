"""The front: takes connections and whole requests from whoever sends them, however slowly, and hands them on.

It holds connections, not threads: what a client takes its time with costs a little memory, within limits of time, size
and number. Only a request that is all there, or whose head alone decides, becomes a call of the web server.
"""
