WITH "stage rows" AS (
  SELECT
    "part_1"."fiscal_days__date_month" AS "fiscal_days__date_month",
    "part_1"."orders__revenue_part_3" AS "orders__revenue_part"
  FROM (
    SELECT
      "orders_keys"."fiscal_days__date_month" AS "fiscal_days__date_month",
      sum("orders".amount) AS "orders__revenue_part_3"
    FROM (
      SELECT
        "fiscal_days".month_start AS "fiscal_days__date_month",
        "orders".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".year_ago
      WHERE "fiscal_days".day >= CAST($1 AS TIMESTAMP) AND "fiscal_days".day <= CAST($2 AS TIMESTAMP)
      GROUP BY 1, 2
    ) AS "orders_keys"
    LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
    GROUP BY 1
  ) AS "part_1"
),
"stage rows_2" AS (
  SELECT
    "fiscal_days".month_start AS "fiscal_days__date_month",
    sum("orders".amount) AS "orders__revenue_part_2"
  FROM orders AS "orders"
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE "fiscal_days".day >= CAST($3 AS TIMESTAMP) AND "fiscal_days".day <= CAST($4 AS TIMESTAMP)
  GROUP BY 1
),
"stage revenue_fiscal_year_ago" AS (
  SELECT
    "stage rows"."fiscal_days__date_month" AS "fiscal_days__date_month",
    "stage rows"."orders__revenue_part" AS "orders__revenue_fiscal_year_ago_part"
  FROM "stage rows" AS "stage rows"
)
SELECT
  "groups"."fiscal_days__date_month" AS "fiscal_days__date_month",
  "stage rows_2"."orders__revenue_part_2" AS "orders__revenue",
  "stage revenue_fiscal_year_ago"."orders__revenue_fiscal_year_ago_part" AS "orders__revenue_fiscal_year_ago",
  "stage rows_2"."orders__revenue_part_2" - "stage revenue_fiscal_year_ago"."orders__revenue_fiscal_year_ago_part" AS "orders__growth"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_2"."fiscal_days__date_month" AS "fiscal_days__date_month"
    FROM "stage rows_2" AS "stage rows_2"
    UNION ALL
    SELECT
      "stage revenue_fiscal_year_ago"."fiscal_days__date_month" AS "fiscal_days__date_month"
    FROM "stage revenue_fiscal_year_ago" AS "stage revenue_fiscal_year_ago"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_2" AS "stage rows_2" ON "groups"."fiscal_days__date_month" IS NOT DISTINCT FROM "stage rows_2"."fiscal_days__date_month"
LEFT JOIN "stage revenue_fiscal_year_ago" AS "stage revenue_fiscal_year_ago" ON "groups"."fiscal_days__date_month" IS NOT DISTINCT FROM "stage revenue_fiscal_year_ago"."fiscal_days__date_month"
ORDER BY 1 ASC NULLS LAST
LIMIT $5
-- ["2024-01-29T00:00:00.000","2025-12-31T23:59:59.999","2024-01-29T00:00:00.000","2025-12-31T23:59:59.999",10000]
