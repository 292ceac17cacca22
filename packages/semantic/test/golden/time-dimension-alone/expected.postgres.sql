SELECT
  "part_1"."customers__count_part" AS "customers__count"
FROM (
  SELECT
    count("customers".id) AS "customers__count_part"
  FROM (
    SELECT
      "customers".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
) AS "part_1"
ORDER BY 1 DESC NULLS LAST
LIMIT $1
-- [10000]
