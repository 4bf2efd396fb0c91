"""Small databases beside the log: how each is opened, brought up to date, proved, repaired, copied and shared.

A store gives a `Definition`: a file, its tables, and what a loss costs. It keeps its statements alone. The database is
an SQLite file in the data folder, or a schema in PostgreSQL that all hosts share. Both carry out the same statements.

`definition` is what a store says, `opening` how it opens a database, `rows` what it works with. `files`, `repair` and
`file_database` are the file, `mirror` and `shared` the tables in PostgreSQL.
"""
