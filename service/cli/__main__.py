"""`python -m service.cli`, the same as `kifu`."""

from service.cli import main

main()
