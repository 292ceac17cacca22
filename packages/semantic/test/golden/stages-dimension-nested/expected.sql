WITH "stage rows" AS (
  SELECT
    "customers".id AS "customers__id",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".status <> $1 OR "orders".status IS NULL
  GROUP BY 1
),
"stage rows_3" AS (
  SELECT
    "customers".id AS "customers__id",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE "orders".status = $2
  GROUP BY 1
),
"stage tier" AS (
  SELECT
    "stage rows"."customers__id" AS "customers__id",
    CASE WHEN "stage rows"."orders__revenue_part" > 20 THEN 'big' ELSE 'small' END AS "customers__tier_of_group"
  FROM "stage rows" AS "stage rows"
),
"stage rows_2" AS (
  SELECT
    "customers".id AS "customers__id",
    "stage tier"."customers__tier_of_group" AS "customers__tier",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN "stage tier" AS "stage tier" ON "customers".id IS NOT DISTINCT FROM "stage tier"."customers__id"
  WHERE "orders".status <> $3 OR "orders".status IS NULL
  GROUP BY 1, 2
),
"stage loyalty" AS (
  SELECT
    "stage rows_2"."customers__id" AS "customers__id",
    CASE WHEN "stage rows_2"."customers__tier" = 'big' AND "stage rows_2"."orders__count_part" > 1 THEN $4 WHEN "stage rows_2"."customers__tier" = 'big' THEN "stage rows_2"."customers__tier" ELSE $5 END AS "customers__loyalty_of_group"
  FROM "stage rows_2" AS "stage rows_2"
),
"stage tier_of_done" AS (
  SELECT
    "stage rows_3"."customers__id" AS "customers__id",
    CASE WHEN "stage rows_3"."orders__revenue_part_2" >= 30 THEN 'big' ELSE 'small' END AS "customers__tier_of_done_of_group"
  FROM "stage rows_3" AS "stage rows_3"
),
"stage rows_4" AS (
  SELECT
    "stage loyalty"."customers__loyalty_of_group" AS "customers__loyalty",
    "stage tier_of_done"."customers__tier_of_done_of_group" AS "customers__tier_of_done",
    "stage tier"."customers__tier_of_group" AS "customers__tier",
    sum("orders".amount) AS "orders__revenue_part_3"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN "stage loyalty" AS "stage loyalty" ON "customers".id IS NOT DISTINCT FROM "stage loyalty"."customers__id"
  LEFT JOIN "stage tier_of_done" AS "stage tier_of_done" ON "customers".id IS NOT DISTINCT FROM "stage tier_of_done"."customers__id"
  LEFT JOIN "stage tier" AS "stage tier" ON "customers".id IS NOT DISTINCT FROM "stage tier"."customers__id"
  WHERE "orders".status <> $6 OR "orders".status IS NULL
  GROUP BY 1, 2, 3
),
"stage average_of_tiers" AS (
  SELECT
    "stage rows_4"."customers__loyalty" AS "customers__loyalty",
    "stage rows_4"."customers__tier_of_done" AS "customers__tier_of_done",
    avg("stage rows_4"."orders__revenue_part_3") AS "orders__average_of_tiers_part"
  FROM "stage rows_4" AS "stage rows_4"
  GROUP BY 1, 2
),
"stage rows_5" AS (
  SELECT
    "stage loyalty"."customers__loyalty_of_group" AS "customers__loyalty",
    "stage tier_of_done"."customers__tier_of_done_of_group" AS "customers__tier_of_done",
    sum("orders".amount) AS "orders__revenue_part_4"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN "stage loyalty" AS "stage loyalty" ON "customers".id IS NOT DISTINCT FROM "stage loyalty"."customers__id"
  LEFT JOIN "stage tier_of_done" AS "stage tier_of_done" ON "customers".id IS NOT DISTINCT FROM "stage tier_of_done"."customers__id"
  LEFT JOIN "stage tier" AS "stage tier" ON "customers".id IS NOT DISTINCT FROM "stage tier"."customers__id"
  WHERE ("orders".status <> $7 OR "orders".status IS NULL) AND "stage tier"."customers__tier_of_group" = $8
  GROUP BY 1, 2
),
"stage revenue_of_big" AS (
  SELECT
    "stage rows_5"."customers__loyalty" AS "customers__loyalty",
    "stage rows_5"."customers__tier_of_done" AS "customers__tier_of_done",
    "stage rows_5"."orders__revenue_part_4" AS "orders__revenue_of_big_part"
  FROM "stage rows_5" AS "stage rows_5"
),
"stage rows_6" AS (
  SELECT
    "stage loyalty"."customers__loyalty_of_group" AS "customers__loyalty",
    "stage tier_of_done"."customers__tier_of_done_of_group" AS "customers__tier_of_done",
    sum("orders".amount) AS "orders__revenue_part_5"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  LEFT JOIN "stage loyalty" AS "stage loyalty" ON "customers".id IS NOT DISTINCT FROM "stage loyalty"."customers__id"
  LEFT JOIN "stage tier_of_done" AS "stage tier_of_done" ON "customers".id IS NOT DISTINCT FROM "stage tier_of_done"."customers__id"
  WHERE "orders".status <> $9 OR "orders".status IS NULL
  GROUP BY 1, 2
)
SELECT
  "groups"."customers__loyalty" AS "customers__loyalty",
  "groups"."customers__tier_of_done" AS "customers__tier_of_done",
  "stage rows_6"."orders__revenue_part_5" AS "orders__revenue",
  "stage average_of_tiers"."orders__average_of_tiers_part" AS "orders__average_of_tiers",
  "stage revenue_of_big"."orders__revenue_of_big_part" AS "orders__revenue_of_big"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_6"."customers__loyalty" AS "customers__loyalty",
      "stage rows_6"."customers__tier_of_done" AS "customers__tier_of_done"
    FROM "stage rows_6" AS "stage rows_6"
    UNION ALL
    SELECT
      "stage average_of_tiers"."customers__loyalty" AS "customers__loyalty",
      "stage average_of_tiers"."customers__tier_of_done" AS "customers__tier_of_done"
    FROM "stage average_of_tiers" AS "stage average_of_tiers"
    UNION ALL
    SELECT
      "stage revenue_of_big"."customers__loyalty" AS "customers__loyalty",
      "stage revenue_of_big"."customers__tier_of_done" AS "customers__tier_of_done"
    FROM "stage revenue_of_big" AS "stage revenue_of_big"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_6" AS "stage rows_6" ON "groups"."customers__loyalty" IS NOT DISTINCT FROM "stage rows_6"."customers__loyalty" AND "groups"."customers__tier_of_done" IS NOT DISTINCT FROM "stage rows_6"."customers__tier_of_done"
LEFT JOIN "stage average_of_tiers" AS "stage average_of_tiers" ON "groups"."customers__loyalty" IS NOT DISTINCT FROM "stage average_of_tiers"."customers__loyalty" AND "groups"."customers__tier_of_done" IS NOT DISTINCT FROM "stage average_of_tiers"."customers__tier_of_done"
LEFT JOIN "stage revenue_of_big" AS "stage revenue_of_big" ON "groups"."customers__loyalty" IS NOT DISTINCT FROM "stage revenue_of_big"."customers__loyalty" AND "groups"."customers__tier_of_done" IS NOT DISTINCT FROM "stage revenue_of_big"."customers__tier_of_done"
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $10
-- ["cancelled","done","cancelled","loyal","other","cancelled","cancelled","big","cancelled",10000]
