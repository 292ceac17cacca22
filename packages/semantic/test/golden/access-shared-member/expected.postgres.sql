SELECT
  "orders".status AS "orders__status"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".amount > CAST($1 AS NUMERIC) OR "orders".status IS NOT NULL
) AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["5",10000]
