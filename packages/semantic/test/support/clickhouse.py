"""Reads {setup: [sql, ...], statements: [{sql, parameters}, ...]}, runs them on ClickHouse in memory (chdb), writes rows or errors."""

import json
import sys

from chdb import session

asked = json.load(sys.stdin)
clickhouse = session.Session()
clickhouse.query("CREATE DATABASE hedron")
clickhouse.query("USE hedron")
for sql in asked["setup"]:
    clickhouse.query(sql)


def rows(statement):
    values = {f"p{place}": value for place, value in enumerate(statement["parameters"], 1)}
    try:
        answer = clickhouse.query(statement["sql"], "JSONCompactEachRow", params=values)
    except Exception as error:
        return str(error)
    return [json.loads(line) for line in answer.bytes().decode().splitlines()]


json.dump([rows(statement) for statement in asked["statements"]], sys.stdout)
