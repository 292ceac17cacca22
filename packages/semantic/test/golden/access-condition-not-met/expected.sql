SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".status = $1
) AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["open",10000]
