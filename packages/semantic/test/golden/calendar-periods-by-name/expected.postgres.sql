SELECT
  "part_1"."fiscal_days__since_week" AS "fiscal_days__since_week",
  "part_1"."fiscal_days__date_fiscal_week" AS "fiscal_days__date_fiscal_week",
  "part_1"."fiscal_days__date_week" AS "fiscal_days__date_week",
  "part_2"."orders__count_part" AS "orders__count",
  "part_1"."line_items__quantity_part" AS "line_items__quantity"
FROM (
  SELECT
    "fiscal_days".week_start AS "fiscal_days__since_week",
    "fiscal_days".week_start AS "fiscal_days__date_fiscal_week",
    date_trunc('week', "fiscal_days".day) AS "fiscal_days__date_week",
    sum("line_items".quantity) AS "line_items__quantity_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
  LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
  WHERE ("fiscal_days".day >= CAST($1 AS TIMESTAMP) AND "fiscal_days".day <= CAST($2 AS TIMESTAMP)) AND "fiscal_days".week_start > CAST($3 AS TIMESTAMP)
  GROUP BY 1, 2, 3
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."fiscal_days__since_week" AS "fiscal_days__since_week",
    "orders_keys"."fiscal_days__date_fiscal_week" AS "fiscal_days__date_fiscal_week",
    "orders_keys"."fiscal_days__date_week" AS "fiscal_days__date_week",
    count("orders".id) AS "orders__count_part"
  FROM (
    SELECT
      "fiscal_days".week_start AS "fiscal_days__since_week",
      "fiscal_days".week_start AS "fiscal_days__date_fiscal_week",
      date_trunc('week', "fiscal_days".day) AS "fiscal_days__date_week",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "line_items" ON "orders".id = "line_items".order_id
    LEFT JOIN fiscal_days AS "fiscal_days" ON CAST("orders".created_at AS DATE) = "fiscal_days".day
    WHERE ("fiscal_days".day >= CAST($4 AS TIMESTAMP) AND "fiscal_days".day <= CAST($5 AS TIMESTAMP)) AND "fiscal_days".week_start > CAST($6 AS TIMESTAMP)
    GROUP BY 1, 2, 3, 4
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1, 2, 3
) AS "part_2" ON ARRAY["part_1"."fiscal_days__since_week"] = ARRAY["part_2"."fiscal_days__since_week"] AND ARRAY["part_1"."fiscal_days__date_fiscal_week"] = ARRAY["part_2"."fiscal_days__date_fiscal_week"] AND ARRAY["part_1"."fiscal_days__date_week"] = ARRAY["part_2"."fiscal_days__date_week"]
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT $7
-- ["2024-01-01T00:00:00.000","2024-12-30T23:59:59.999","2024-01-02T23:59:59.999","2024-01-01T00:00:00.000","2024-12-30T23:59:59.999","2024-01-02T23:59:59.999",10000]
