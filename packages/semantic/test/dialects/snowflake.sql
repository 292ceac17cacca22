-- aggregates-by-dimension
SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue",
  avg("orders".amount) AS "orders__average",
  min("orders".amount) AS "orders__smallest",
  count(DISTINCT "orders".customer_id) AS "orders__buyers",
  approx_count_distinct("orders".customer_id) AS "orders__buyers_about",
  count(CASE WHEN "orders".status = 'done' THEN 1 END) AS "orders__done"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- []

-- boolean-and-geo
SELECT
  CAST("customers".latitude AS VARCHAR) || CAST(? AS VARCHAR) || CAST("customers".longitude AS VARCHAR) AS "customers__place",
  "customers".is_member AS "customers__is_member"
FROM customers AS "customers"
WHERE "customers".is_member = CAST(? AS BOOLEAN)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- [",","true"]

-- custom-granularities
SELECT
  DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(MONTH, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 12) * 12 AS INTEGER), CAST(? AS TIMESTAMP_NTZ)) AS "customers__signed_up_fiscal_year",
  DATEADD(DAY, 9, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(MONTH, CAST(? AS TIMESTAMP_NTZ), DATEADD(DAY, -9, CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ))) AS DOUBLE) / 5) * 5 AS INTEGER), CAST(? AS TIMESTAMP_NTZ))) AS "customers__signed_up_five_months",
  DATEADD(MINUTE, CAST(floor(CAST(DATEDIFF(MILLISECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 900000) * 15 AS INTEGER), CAST(? AS TIMESTAMP_NTZ)) AS "customers__signed_up_quarter_hour",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- ["2000-02-01T00:00:00.000","2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000","2000-01-01T00:00:00.000"]

-- date-filters
SELECT
  "orders".id AS "orders__id"
FROM orders AS "orders"
WHERE (("orders".created_at >= CAST(? AS TIMESTAMP_NTZ) AND "orders".created_at <= CAST(? AS TIMESTAMP_NTZ)) OR ("orders".created_at >= CAST(? AS TIMESTAMP_NTZ) AND "orders".created_at <= CAST(? AS TIMESTAMP_NTZ)) OR "orders".created_at < CAST(? AS TIMESTAMP_NTZ) OR "orders".created_at = CAST(? AS TIMESTAMP_NTZ)) AND 1 = 1 AND ("orders".created_at < CAST(? AS TIMESTAMP_NTZ) OR "orders".created_at > CAST(? AS TIMESTAMP_NTZ))
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- ["2024-01-01T05:00:00.000","2024-01-02T04:59:59.999","2024-03-10T05:00:00.000","2024-03-11T03:59:59.999","2024-01-01T05:00:00.000","2024-02-29T12:00:00.000","2025-01-01T05:00:00.000","2025-01-03T04:59:59.999"]

-- fan-out-both-sides
SELECT
  "part_1"."customers__city" AS "customers__city",
  "part_2"."orders__revenue_part" AS "orders__revenue",
  "part_2"."orders__count_part" AS "orders__count",
  "part_1"."line_items__quantity_part" AS "li__quantity",
  "part_1"."line_items__value_part" AS "li__value",
  "part_1"."line_items__count_part" AS "li__count"
FROM (
  SELECT
    "customers".city AS "customers__city",
    sum("li".quantity) AS "line_items__quantity_part",
    sum(CASE WHEN "li".order_id IS NOT NULL THEN ("li".quantity * "li".price) END) AS "line_items__value_part",
    count("li".order_id) AS "line_items__count_part"
  FROM orders AS "orders"
  LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  GROUP BY 1
) AS "part_1"
JOIN (
  SELECT
    "orders_keys"."customers__city" AS "customers__city",
    sum("orders".amount) AS "orders__revenue_part",
    count("orders".id) AS "orders__count_part"
  FROM (
    SELECT
      "customers".city AS "customers__city",
      "orders".id AS "key_1"
    FROM orders AS "orders"
    LEFT JOIN line_items AS "li" ON "orders".id = "li".order_id
    LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
    GROUP BY 1, 2
  ) AS "orders_keys"
  LEFT JOIN orders AS "orders" ON "orders_keys"."key_1" = "orders".id
  GROUP BY 1
) AS "part_2" ON "part_1"."customers__city" IS NOT DISTINCT FROM "part_2"."customers__city"
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- []

-- granularities-of-months-and-days
SELECT
  CASE WHEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) + 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) + 1) * 1, CAST(? AS TIMESTAMP_NTZ))) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) + 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) + 1) * 1, CAST(? AS TIMESTAMP_NTZ))) WHEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) * 172800, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) * 1, CAST(? AS TIMESTAMP_NTZ))) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) * 172800, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) * 1, CAST(? AS TIMESTAMP_NTZ))) ELSE DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) - 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2802546) AS INTEGER) - 1) * 1, CAST(? AS TIMESTAMP_NTZ))) END AS "orders__created_at_billing",
  CASE WHEN DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2629746) AS INTEGER) + 1) * 1, CAST(? AS TIMESTAMP_NTZ)) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2629746) AS INTEGER) + 1) * 1, CAST(? AS TIMESTAMP_NTZ)) WHEN DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2629746) AS INTEGER) * 1, CAST(? AS TIMESTAMP_NTZ)) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2629746) AS INTEGER) * 1, CAST(? AS TIMESTAMP_NTZ)) ELSE DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 2629746) AS INTEGER) - 1) * 1, CAST(? AS TIMESTAMP_NTZ)) END AS "orders__created_at_month_end",
  CASE WHEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) + 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) + 1) * 3, CAST(? AS TIMESTAMP_NTZ))) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) + 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) + 1) * 3, CAST(? AS TIMESTAMP_NTZ))) WHEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) * 129600, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) * 3, CAST(? AS TIMESTAMP_NTZ))) <= CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ) THEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) * 129600, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) * 3, CAST(? AS TIMESTAMP_NTZ))) ELSE DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) - 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF(SECOND, CAST(? AS TIMESTAMP_NTZ), CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS DOUBLE) / 8018838) AS INTEGER) - 1) * 3, CAST(? AS TIMESTAMP_NTZ))) END AS "orders__created_at_season",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
WHERE "orders".created_at >= CAST(? AS TIMESTAMP_NTZ) AND "orders".created_at <= CAST(? AS TIMESTAMP_NTZ)
GROUP BY 1, 2, 3
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT 10000
-- ["2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2023-12-31T23:00:00.000","2024-12-31T22:59:59.999"]

-- links
SELECT
  "customers".id AS "customers__id",
  CAST('https://example.com/find' AS VARCHAR) || CAST(? AS VARCHAR) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST("customers".name AS VARCHAR), CHR(37), '%25'), CHR(32), '%20'), CHR(38), '%26'), CHR(61), '%3D'), CHR(43), '%2B'), CHR(35), '%23'), CHR(63), '%3F'), CHR(47), '%2F'), CHR(39), '%27'), CHR(34), '%22'), CHR(60), '%3C'), CHR(62), '%3E'), CHR(59), '%3B'), CHR(58), '%3A'), CHR(64), '%40'), CHR(44), '%2C') AS VARCHAR) || CAST(? AS VARCHAR) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(coalesce("customers".city, '=') AS VARCHAR), CHR(37), '%25'), CHR(32), '%20'), CHR(38), '%26'), CHR(61), '%3D'), CHR(43), '%2B'), CHR(35), '%23'), CHR(63), '%3F'), CHR(47), '%2F'), CHR(39), '%27'), CHR(34), '%22'), CHR(60), '%3C'), CHR(62), '%3E'), CHR(59), '%3B'), CHR(58), '%3A'), CHR(64), '%40'), CHR(44), '%2C') AS VARCHAR) AS "customers__name___link_search_url",
  CAST(? AS VARCHAR) || CAST(? AS VARCHAR) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST("customers".id AS VARCHAR), CHR(37), '%25'), CHR(32), '%20'), CHR(38), '%26'), CHR(61), '%3D'), CHR(43), '%2B'), CHR(35), '%23'), CHR(63), '%3F'), CHR(47), '%2F'), CHR(39), '%27'), CHR(34), '%22'), CHR(60), '%3C'), CHR(62), '%3E'), CHR(59), '%3B'), CHR(58), '%3A'), CHR(64), '%40'), CHR(44), '%2C') AS VARCHAR) AS "customers__name___link_board_url",
  'mailto:' || "customers".name AS "people__p_person___link_plain_url",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3, 4
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT 10000
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id="]

-- measure-filters-and-having
SELECT
  "orders".status AS "orders__status",
  sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) AS "orders__large_revenue",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1
HAVING count(*) >= CAST(? AS NUMBER(38, 0)) AND (sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) > CAST(? AS NUMBER(38, 1)) OR sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) IS NULL)
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- ["3","100.5"]

-- multi-fact
WITH "hedron_fact_1" AS (
  SELECT
    "customers".city AS "activity__city",
    DATE_TRUNC('year', CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS "activity__signed_up_year",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE ("customers".signed_up >= CAST(? AS TIMESTAMP_NTZ) AND "customers".signed_up <= CAST(? AS TIMESTAMP_NTZ)) AND ("orders".amount > 5) AND ("orders".status = ? OR "orders".status IS NULL)
  GROUP BY 1, 2
), "hedron_fact_2" AS (
  SELECT
    "customers".city AS "activity__city",
    DATE_TRUNC('year', CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS "activity__signed_up_year",
    sum("profiles".points) AS "profiles__points_part"
  FROM profiles AS "profiles"
  LEFT JOIN customers AS "customers" ON "profiles".customer_id = "customers".id
  WHERE "customers".signed_up >= CAST(? AS TIMESTAMP_NTZ) AND "customers".signed_up <= CAST(? AS TIMESTAMP_NTZ)
  GROUP BY 1, 2
), "hedron_fact_3" AS (
  SELECT
    "customers".city AS "activity__city",
    DATE_TRUNC('year', CAST(CONVERT_TIMEZONE('UTC', CAST("customers".signed_up AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS "activity__signed_up_year",
    count(*) AS "customers__count_part"
  FROM customers AS "customers"
  WHERE "customers".signed_up >= CAST(? AS TIMESTAMP_NTZ) AND "customers".signed_up <= CAST(? AS TIMESTAMP_NTZ)
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
LEFT JOIN "hedron_fact_1" ON "groups"."activity__city" IS NOT DISTINCT FROM "hedron_fact_1"."activity__city" AND "groups"."activity__signed_up_year" IS NOT DISTINCT FROM "hedron_fact_1"."activity__signed_up_year"
LEFT JOIN "hedron_fact_2" ON "groups"."activity__city" IS NOT DISTINCT FROM "hedron_fact_2"."activity__city" AND "groups"."activity__signed_up_year" IS NOT DISTINCT FROM "hedron_fact_2"."activity__signed_up_year"
LEFT JOIN "hedron_fact_3" ON "groups"."activity__city" IS NOT DISTINCT FROM "hedron_fact_3"."activity__city" AND "groups"."activity__signed_up_year" IS NOT DISTINCT FROM "hedron_fact_3"."activity__signed_up_year"
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- ["2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","done","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999"]

-- order-limit-offset
SELECT
  "orders".id AS "orders__id",
  "orders".status AS "orders__status",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
GROUP BY 1, 2
ORDER BY 2 DESC NULLS LAST, 3 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 3
OFFSET 2
-- []

-- text-filters
SELECT
  "customers".name AS "customers__name"
FROM customers AS "customers"
WHERE (CAST("customers".name AS VARCHAR) ILIKE ? ESCAPE '\\' OR CAST("customers".name AS VARCHAR) ILIKE ? ESCAPE '\\') AND ((CAST("customers".name AS VARCHAR) NOT ILIKE ? ESCAPE '\\') OR "customers".name IS NULL) AND ((CAST("customers".city AS VARCHAR) NOT ILIKE ? ESCAPE '\\') OR "customers".city IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- ["%\\_100\\%%","%CEMIL%","%x","b%"]

-- weeks-and-hours
SELECT
  DATEADD(DAY, 1 - DAYOFWEEKISO(CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)), DATE_TRUNC('day', CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ))) AS "orders__created_at_week",
  DATE_TRUNC('hour', CAST(CONVERT_TIMEZONE(?, CAST("orders".created_at AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)) AS "orders__created_at_hour",
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE "orders".created_at > CAST(? AS TIMESTAMP_NTZ)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- ["Europe/Berlin","Europe/Berlin","Europe/Berlin","2024-03-10T22:59:59.999"]
