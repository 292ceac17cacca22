SELECT
  "orders".id AS "orders__id",
  CASE WHEN "orders".status = $1 THEN "orders".amount ELSE (-1) END AS "orders__amount",
  CASE WHEN "orders".status = $2 THEN "orders".amount ELSE (-1) END AS "orders__revenue",
  CASE WHEN "orders".status = $3 THEN "orders".amount ELSE NULL END AS "orders__average"
FROM orders AS "orders"
ORDER BY 1 ASC NULLS LAST
LIMIT $4
-- ["done","done","done",10000]
