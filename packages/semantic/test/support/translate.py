"""Reads {dialect: [sql, ...]} and writes {dialect: [sql for DuckDB, ...]}, by sqlglot: a reading of our SQL that isn't ours."""

import json
import sys

import sqlglot

names = {"sqlserver": "tsql"}


def translated(sql, dialect):
    try:
        return sqlglot.parse_one(sql, read=dialect).sql("duckdb")
    except sqlglot.errors.SqlglotError as error:
        return str(error)


asked = json.load(sys.stdin)
json.dump(
    {
        dialect: [
            translated(sql, names.get(dialect, dialect)) for sql in statements
        ]
        for dialect, statements in asked.items()
    },
    sys.stdout,
)
