SELECT
  "orders".id AS "orders__id"
FROM orders AS "orders"
WHERE (("orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)) OR ("orders".created_at >= CAST($3 AS TIMESTAMP) AND "orders".created_at <= CAST($4 AS TIMESTAMP)) OR "orders".created_at < CAST($5 AS TIMESTAMP) OR "orders".created_at = CAST($6 AS TIMESTAMP)) AND 1 = 1 AND ("orders".created_at < CAST($7 AS TIMESTAMP) OR "orders".created_at > CAST($8 AS TIMESTAMP))
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $9
-- ["2024-01-01T05:00:00.000","2024-01-02T04:59:59.999","2024-03-10T05:00:00.000","2024-03-11T03:59:59.999","2024-01-01T05:00:00.000","2024-02-29T12:00:00.000","2025-01-01T05:00:00.000","2025-01-03T04:59:59.999",10000]
