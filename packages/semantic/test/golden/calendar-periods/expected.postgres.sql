SELECT
  "part_1"."fiscal_days__date_year" AS "fiscal_days__date_year",
  "part_1"."fiscal_days__date_month" AS "fiscal_days__date_month",
  "part_1"."fiscal_days__date_day" AS "fiscal_days__date_day",
  "part_2"."orders__count_part" AS "orders__count",
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_1"."line_items__quantity_part" AS "line_items__quantity"
FROM (
  SELECT
    "fiscal_days".year_start AS "fiscal_days__date_year",
    "fiscal_days".month_start AS "fiscal_days__date_month",
    date_trunc('day', CAST("fiscal_days".day AS TIMESTAMP)) AS "fiscal_days__date_day",
    sum("line_items".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  GROUP BY 1, 2, 3
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."fiscal_days__date_year" AS "fiscal_days__date_year",
    "orders_keys"."fiscal_days__date_month" AS "fiscal_days__date_month",
    "orders_keys"."fiscal_days__date_day" AS "fiscal_days__date_day",
    count("orders".id) AS "orders__count_part",
    sum("orders".amount) AS "orders__revenue_part"
  FROM (
    SELECT
      "fiscal_days".year_start AS "fiscal_days__date_year",
      "fiscal_days".month_start AS "fiscal_days__date_month",
      date_trunc('day', CAST("fiscal_days".day AS TIMESTAMP)) AS "fiscal_days__date_day",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
    GROUP BY 1, 2, 3, 4
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1, 2, 3
) AS "part_2" ON ARRAY["part_1"."fiscal_days__date_year"] = ARRAY["part_2"."fiscal_days__date_year"] AND ARRAY["part_1"."fiscal_days__date_month"] = ARRAY["part_2"."fiscal_days__date_month"] AND ARRAY["part_1"."fiscal_days__date_day"] = ARRAY["part_2"."fiscal_days__date_day"]
ORDER BY 2 ASC NULLS LAST, 3 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $1
-- [10000]
