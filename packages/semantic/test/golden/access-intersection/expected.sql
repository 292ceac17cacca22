SELECT
  "orders".status AS "orders__status",
  sum("orders".amount) AS "orders__revenue",
  count(*) AS "orders__count"
FROM (
  SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".amount > CAST($1 AS DECIMAL(38, 0)) AND "orders".status IS NOT NULL AND ("orders".amount > CAST($2 AS DECIMAL(38, 0)) OR "orders".status IS NOT NULL)
) AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $3
-- ["5","5",10000]
