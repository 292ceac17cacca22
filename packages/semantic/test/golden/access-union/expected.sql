SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".status = $1 OR ("orders".status IN ($2, $3) OR "orders".created_at > CAST($4 AS TIMESTAMP))
) AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $5
-- ["open","done","cancelled","2024-12-01T23:59:59.999",10000]
