SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE ("orders".status <> $1 OR "orders".status IS NULL) AND ("orders".status NOT IN ($2, $3) OR "orders".status IS NULL) AND ("orders".amount IN (CAST($4 AS DECIMAL(38, 0)), CAST($5 AS DECIMAL(38, 2)), CAST($6 AS DECIMAL(38, 0))) OR "orders".amount IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $7
-- ["done","cancelled","lost","7","5.25","3",10000]
