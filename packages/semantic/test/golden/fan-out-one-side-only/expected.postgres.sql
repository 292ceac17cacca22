SELECT
  "part_1"."orders__status" AS "orders__status",
  "part_2"."customers__count_part" AS "customers__count",
  "part_2"."customers__member_share_part" AS "customers__member_share",
  "part_1"."customers__latest_part" AS "customers__latest"
FROM (
  SELECT
    "orders".status AS "orders__status",
    max("customers".signed_up) AS "customers__latest_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "customers_keys"."orders__status" AS "orders__status",
    count("customers".id) AS "customers__count_part",
    avg(CASE WHEN "customers".is_member THEN 1.0 ELSE 0 END) AS "customers__member_share_part"
  FROM (
    SELECT
      "orders".status AS "orders__status",
      "customers".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1, 2
  ) AS "customers_keys"
  LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
  GROUP BY 1
) AS "part_2" ON ARRAY["part_1"."orders__status"] = ARRAY["part_2"."orders__status"]
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
