WITH "stage rows" AS (
  SELECT
    "customers".city AS "customers__city",
    "orders".status AS "orders__status",
    "customers".id AS "customers__id",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".status IS NOT NULL
  GROUP BY 1, 2, 3
),
"stage tier" AS (
  SELECT
    "stage rows"."customers__city" AS "customers__city",
    "stage rows"."orders__status" AS "orders__status",
    "stage rows"."customers__id" AS "customers__id",
    CASE WHEN "stage rows"."orders__revenue_part" > 20 THEN 'big' ELSE 'small' END AS "customers__tier_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    "part_1"."customers__city" AS "customers__city",
    "part_1"."orders__status" AS "orders__status",
    "part_1"."orders__count_part_2" AS "orders__count_part",
    "part_2"."customers__count_part_2" AS "customers__count_part"
  FROM (
    SELECT
      "customers".city AS "customers__city",
      "orders".status AS "orders__status",
      count(*) AS "orders__count_part_2"
    FROM orders AS "orders"
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    LEFT JOIN "stage tier" AS "stage tier" ON ARRAY["customers".city] = ARRAY["stage tier"."customers__city"] AND ARRAY["orders".status] = ARRAY["stage tier"."orders__status"] AND ARRAY["customers".id] = ARRAY["stage tier"."customers__id"]
    WHERE "stage tier"."customers__tier_of_group" = $1 AND "orders".status IS NOT NULL
    GROUP BY 1, 2
  ) AS "part_1"
  JOIN (
    SELECT
      "customers_keys"."customers__city" AS "customers__city",
      "customers_keys"."orders__status" AS "orders__status",
      count("customers".id) AS "customers__count_part_2"
    FROM (
      SELECT
        "customers".city AS "customers__city",
        "orders".status AS "orders__status",
        "customers".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
      LEFT JOIN "stage tier" AS "stage tier" ON ARRAY["customers".city] = ARRAY["stage tier"."customers__city"] AND ARRAY["orders".status] = ARRAY["stage tier"."orders__status"] AND ARRAY["customers".id] = ARRAY["stage tier"."customers__id"]
      WHERE "stage tier"."customers__tier_of_group" = $2 AND "orders".status IS NOT NULL
      GROUP BY 1, 2, 3
    ) AS "customers_keys"
    LEFT JOIN customers AS "customers" ON "customers_keys"."key_1" = "customers".id
    GROUP BY 1, 2
  ) AS "part_2" ON ARRAY["part_1"."customers__city"] = ARRAY["part_2"."customers__city"] AND ARRAY["part_1"."orders__status"] = ARRAY["part_2"."orders__status"]
)
SELECT
  "stage rows_2"."customers__city" AS "customers__city",
  "stage rows_2"."orders__status" AS "orders__status",
  "stage rows_2"."orders__count_part" AS "orders__count",
  "stage rows_2"."customers__count_part" AS "customers__count"
FROM "stage rows_2" AS "stage rows_2"
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $3
-- ["big","big",10000]
