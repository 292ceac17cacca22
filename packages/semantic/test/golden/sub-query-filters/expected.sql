SELECT
  "customers".id AS "people__id",
  "customers_all_orders_subquery"."orders__count" AS "people__all_orders",
  "customers_chosen_orders_subquery"."orders__count" AS "people__chosen_orders"
FROM customers AS "customers"
LEFT JOIN (
  SELECT
    "customers".id AS "key",
    count("orders".id) AS "orders__count"
  FROM customers AS "customers"
  LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
  GROUP BY 1
) AS "customers_all_orders_subquery" ON "customers_all_orders_subquery"."key" = "customers".id
LEFT JOIN (
  SELECT
    "customers".id AS "key",
    count("orders".id) AS "orders__count"
  FROM customers AS "customers"
  LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
  WHERE ("orders".created_at >= CAST($1 AS TIMESTAMP) AND "orders".created_at <= CAST($2 AS TIMESTAMP)) AND ("customers".city IS NOT NULL) AND "orders".status = $3
  GROUP BY 1
) AS "customers_chosen_orders_subquery" ON "customers_chosen_orders_subquery"."key" = "customers".id
LEFT JOIN orders AS "orders" ON "customers".id = "orders".customer_id
WHERE ("orders".created_at >= CAST($4 AS TIMESTAMP) AND "orders".created_at <= CAST($5 AS TIMESTAMP)) AND ("customers".city IS NOT NULL) AND "orders".status = $6 AND "customers_all_orders_subquery"."orders__count" > CAST($7 AS DECIMAL(38, 0))
GROUP BY 1, 2, 3
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT $8
-- ["2024-01-01T00:00:00.000","2024-06-30T23:59:59.999","done","2024-01-01T00:00:00.000","2024-06-30T23:59:59.999","done","0",10000]
