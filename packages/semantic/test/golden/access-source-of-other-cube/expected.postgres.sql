SELECT
  "buyers".number AS "buyers__number"
FROM (
  SELECT count(*) AS number FROM (SELECT "orders".*
  FROM orders AS "orders"
  WHERE "orders".status = $1
  ) o WHERE customer_id IS NOT NULL
) AS "buyers"
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $2
-- ["open",10000]
