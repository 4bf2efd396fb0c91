"""`python -m service.cli`, the same as `kifu`."""

from service.cli.main import main

main()
