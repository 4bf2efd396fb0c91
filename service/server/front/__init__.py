"""The front: takes connections and whole requests from clients, even slow ones, and hands them on.

It holds connections, not threads. A slow client costs a little memory, within limits of time, size and number. A
request becomes a call of the web server once it is complete, or if its head alone decides.
"""
