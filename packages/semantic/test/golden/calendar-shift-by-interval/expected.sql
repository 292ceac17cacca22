WITH "stage rows" AS (
  SELECT
    "part_1"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
    "part_1"."fiscal_days__date_day" AS "fiscal_days__date_day",
    "part_1"."orders__revenue_part_2" AS "orders__revenue_part"
  FROM (
    SELECT
      "orders_keys"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
      "orders_keys"."fiscal_days__date_day" AS "fiscal_days__date_day",
      sum("orders".amount) AS "orders__revenue_part_2"
    FROM (
      SELECT
        "fiscal_days".quarter_start AS "fiscal_days__date_quarter",
        date_trunc('day', CAST("fiscal_days".day AS TIMESTAMP)) AS "fiscal_days__date_day",
        "orders".id AS "key_1"
      FROM orders AS "orders"
      LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".year_ago
      WHERE "fiscal_days".day >= CAST($1 AS TIMESTAMP) AND "fiscal_days".day <= CAST($2 AS TIMESTAMP)
      GROUP BY 1, 2, 3
    ) AS "orders_keys"
    LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
    GROUP BY 1, 2
  ) AS "part_1"
),
"stage rows_2" AS (
  SELECT
    "part_1"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
    "part_1"."fiscal_days__date_day" AS "fiscal_days__date_day",
    "part_1"."line_items__quantity_part_2" AS "line_items__quantity_part"
  FROM (
    SELECT
      "line_items_keys"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
      "line_items_keys"."fiscal_days__date_day" AS "fiscal_days__date_day",
      sum("line_items".quantity) AS "line_items__quantity_part_2"
    FROM (
      SELECT
        "fiscal_days".quarter_start AS "fiscal_days__date_quarter",
        date_trunc('day', CAST("fiscal_days".day AS TIMESTAMP)) AS "fiscal_days__date_day",
        "line_items".order_id AS "key_1",
        "line_items".line AS "key_2"
      FROM orders AS "orders"
      LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
      LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".year_ago
      WHERE "fiscal_days".day >= CAST($3 AS TIMESTAMP) AND "fiscal_days".day <= CAST($4 AS TIMESTAMP)
      GROUP BY 1, 2, 3, 4
    ) AS "line_items_keys"
    LEFT JOIN line_items AS "line_items" ON "line_items_keys"."key_1" = "line_items".order_id AND "line_items_keys"."key_2" = "line_items".line
    GROUP BY 1, 2
  ) AS "part_1"
),
"stage rows_3" AS (
  SELECT
    "fiscal_days".quarter_start AS "fiscal_days__date_quarter",
    date_trunc('day', CAST("fiscal_days".day AS TIMESTAMP)) AS "fiscal_days__date_day",
    count(*) AS "orders__count_part"
  FROM orders AS "orders"
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE "fiscal_days".day >= CAST($5 AS TIMESTAMP) AND "fiscal_days".day <= CAST($6 AS TIMESTAMP)
  GROUP BY 1, 2
),
"stage revenue_year_ago" AS (
  SELECT
    "stage rows"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
    "stage rows"."fiscal_days__date_day" AS "fiscal_days__date_day",
    "stage rows"."orders__revenue_part" AS "orders__revenue_year_ago_part"
  FROM "stage rows" AS "stage rows"
),
"stage quantity_year_ago" AS (
  SELECT
    "stage rows_2"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
    "stage rows_2"."fiscal_days__date_day" AS "fiscal_days__date_day",
    "stage rows_2"."line_items__quantity_part" AS "orders__quantity_year_ago_part"
  FROM "stage rows_2" AS "stage rows_2"
)
SELECT
  "groups"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
  "groups"."fiscal_days__date_day" AS "fiscal_days__date_day",
  "stage rows_3"."orders__count_part" AS "orders__count",
  "stage revenue_year_ago"."orders__revenue_year_ago_part" AS "orders__revenue_year_ago",
  "stage quantity_year_ago"."orders__quantity_year_ago_part" AS "orders__quantity_year_ago"
FROM (
  SELECT DISTINCT *
  FROM (
    SELECT
      "stage rows_3"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
      "stage rows_3"."fiscal_days__date_day" AS "fiscal_days__date_day"
    FROM "stage rows_3" AS "stage rows_3"
    UNION ALL
    SELECT
      "stage revenue_year_ago"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
      "stage revenue_year_ago"."fiscal_days__date_day" AS "fiscal_days__date_day"
    FROM "stage revenue_year_ago" AS "stage revenue_year_ago"
    UNION ALL
    SELECT
      "stage quantity_year_ago"."fiscal_days__date_quarter" AS "fiscal_days__date_quarter",
      "stage quantity_year_ago"."fiscal_days__date_day" AS "fiscal_days__date_day"
    FROM "stage quantity_year_ago" AS "stage quantity_year_ago"
  ) AS "parts"
) AS "groups"
LEFT JOIN "stage rows_3" AS "stage rows_3" ON "groups"."fiscal_days__date_quarter" IS NOT DISTINCT FROM "stage rows_3"."fiscal_days__date_quarter" AND "groups"."fiscal_days__date_day" = "stage rows_3"."fiscal_days__date_day"
LEFT JOIN "stage revenue_year_ago" AS "stage revenue_year_ago" ON "groups"."fiscal_days__date_quarter" IS NOT DISTINCT FROM "stage revenue_year_ago"."fiscal_days__date_quarter" AND "groups"."fiscal_days__date_day" = "stage revenue_year_ago"."fiscal_days__date_day"
LEFT JOIN "stage quantity_year_ago" AS "stage quantity_year_ago" ON "groups"."fiscal_days__date_quarter" IS NOT DISTINCT FROM "stage quantity_year_ago"."fiscal_days__date_quarter" AND "groups"."fiscal_days__date_day" = "stage quantity_year_ago"."fiscal_days__date_day"
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $7
-- ["2024-02-01T00:00:00.000","2025-12-31T23:59:59.999","2024-02-01T00:00:00.000","2025-12-31T23:59:59.999","2024-02-01T00:00:00.000","2025-12-31T23:59:59.999",10000]
