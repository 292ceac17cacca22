WITH "hedron_fact_1" AS (
  SELECT
    "customers".city AS "activity__city",
    date_trunc('year', CAST("customers".signed_up AS TIMESTAMP)) AS "activity__signed_up_year",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE ("customers".signed_up >= CAST($1 AS TIMESTAMP) AND "customers".signed_up <= CAST($2 AS TIMESTAMP)) AND ("orders".amount > 5) AND ("orders".status = $3 OR "orders".status IS NULL)
  GROUP BY 1, 2
), "hedron_fact_2" AS (
  SELECT
    "customers".city AS "activity__city",
    date_trunc('year', CAST("customers".signed_up AS TIMESTAMP)) AS "activity__signed_up_year",
    sum("profiles".points) AS "profiles__points_part"
  FROM profiles AS "profiles"
  LEFT JOIN customers AS "customers" ON "profiles".customer_id = "customers".id
  WHERE "customers".signed_up >= CAST($4 AS TIMESTAMP) AND "customers".signed_up <= CAST($5 AS TIMESTAMP)
  GROUP BY 1, 2
), "hedron_fact_3" AS (
  SELECT
    "customers".city AS "activity__city",
    date_trunc('year', CAST("customers".signed_up AS TIMESTAMP)) AS "activity__signed_up_year",
    count(*) AS "customers__count_part"
  FROM customers AS "customers"
  WHERE "customers".signed_up >= CAST($6 AS TIMESTAMP) AND "customers".signed_up <= CAST($7 AS TIMESTAMP)
  GROUP BY 1, 2
)
SELECT
  "groups"."activity__city" AS "activity__city",
  "groups"."activity__signed_up_year" AS "activity__signed_up_year",
  "hedron_fact_1"."orders__revenue_part" AS "activity__revenue",
  "hedron_fact_2"."profiles__points_part" AS "activity__points",
  "hedron_fact_3"."customers__count_part" AS "activity__customers",
  "hedron_fact_1"."orders__revenue_part" / "hedron_fact_2"."profiles__points_part" AS "activity__revenue_per_point"
FROM (
  SELECT DISTINCT "activity__city", "activity__signed_up_year" FROM (
    SELECT "activity__city", "activity__signed_up_year" FROM "hedron_fact_1"
    UNION ALL
    SELECT "activity__city", "activity__signed_up_year" FROM "hedron_fact_2"
    UNION ALL
    SELECT "activity__city", "activity__signed_up_year" FROM "hedron_fact_3"
  ) AS "all_groups"
) AS "groups"
LEFT JOIN "hedron_fact_1" ON ARRAY["groups"."activity__city"] = ARRAY["hedron_fact_1"."activity__city"] AND ARRAY["groups"."activity__signed_up_year"] = ARRAY["hedron_fact_1"."activity__signed_up_year"]
LEFT JOIN "hedron_fact_2" ON ARRAY["groups"."activity__city"] = ARRAY["hedron_fact_2"."activity__city"] AND ARRAY["groups"."activity__signed_up_year"] = ARRAY["hedron_fact_2"."activity__signed_up_year"]
LEFT JOIN "hedron_fact_3" ON ARRAY["groups"."activity__city"] = ARRAY["hedron_fact_3"."activity__city"] AND ARRAY["groups"."activity__signed_up_year"] = ARRAY["hedron_fact_3"."activity__signed_up_year"]
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT $8
-- ["2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","done","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999",10000]
