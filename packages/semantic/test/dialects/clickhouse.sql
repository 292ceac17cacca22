-- aggregates-by-dimension
SELECT
  "orders".status AS "orders__status",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue",
  avg("orders".amount) AS "orders__average",
  min("orders".amount) AS "orders__smallest",
  count(DISTINCT "orders".customer_id) AS "orders__buyers",
  uniq("orders".customer_id) AS "orders__buyers_about",
  count(CASE WHEN "orders".status = 'done' THEN 1 END) AS "orders__done"
FROM orders AS "orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- []

-- boolean-and-geo
SELECT
  toString("customers".latitude) || toString({p1:String}) || toString("customers".longitude) AS "customers__place",
  "customers".is_member AS "customers__is_member"
FROM customers AS "customers"
WHERE "customers".is_member = CAST({p2:String} AS Bool)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- [",","true"]

-- custom-granularities
SELECT
  addMonths(toDateTime64({p1:String}, 3, 'UTC'), toInt64(floor(((toYear(toDateTime64("customers".signed_up, 6, 'UTC')) * 12 + toMonth(toDateTime64("customers".signed_up, 6, 'UTC'))) - (toYear(toDateTime64({p1:String}, 3, 'UTC')) * 12 + toMonth(toDateTime64({p1:String}, 3, 'UTC')))) / 12)) * 12) AS "customers__signed_up_fiscal_year",
  addMilliseconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), toInt64(floor(((toYear(addMilliseconds(toDateTime64("customers".signed_up, 6, 'UTC'), -777600000)) * 12 + toMonth(addMilliseconds(toDateTime64("customers".signed_up, 6, 'UTC'), -777600000))) - (toYear(toDateTime64({p2:String}, 3, 'UTC')) * 12 + toMonth(toDateTime64({p2:String}, 3, 'UTC')))) / 5)) * 5), 777600000) AS "customers__signed_up_five_months",
  addSeconds(toDateTime64({p3:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(toDateTime64("customers".signed_up, 6, 'UTC')) - toUnixTimestamp64Milli(toDateTime64({p3:String}, 3, 'UTC'))) / 900000)) * 900) AS "customers__signed_up_quarter_hour",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000"]

-- date-filters
SELECT
  "orders".id AS "orders__id"
FROM orders AS "orders"
WHERE (("orders".created_at >= toDateTime64({p1:String}, 3, 'UTC') AND "orders".created_at <= toDateTime64({p2:String}, 3, 'UTC')) OR ("orders".created_at >= toDateTime64({p3:String}, 3, 'UTC') AND "orders".created_at <= toDateTime64({p4:String}, 3, 'UTC')) OR "orders".created_at < toDateTime64({p5:String}, 3, 'UTC') OR "orders".created_at = toDateTime64({p6:String}, 3, 'UTC')) AND 1 = 1 AND ("orders".created_at < toDateTime64({p7:String}, 3, 'UTC') OR "orders".created_at > toDateTime64({p8:String}, 3, 'UTC'))
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
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
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- []

-- granularities-of-months-and-days
SELECT
  CASE WHEN addSeconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) + 1) * 1), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) + 1) * 172800) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String}))) THEN addSeconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) + 1) * 1), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) + 1) * 172800) WHEN addSeconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) * 1), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) * 172800) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String}))) THEN addSeconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) * 1), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) * 172800) ELSE addSeconds(addMonths(toDateTime64({p2:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) - 1) * 1), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))) - toUnixTimestamp64Milli(toDateTime64({p2:String}, 3, 'UTC'))) / 2802546000)) - 1) * 172800) END AS "orders__created_at_billing",
  CASE WHEN addMonths(toDateTime64({p4:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String})))) - toUnixTimestamp64Milli(toDateTime64({p4:String}, 3, 'UTC'))) / 2629746000)) + 1) * 1) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String}))) THEN addMonths(toDateTime64({p4:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String})))) - toUnixTimestamp64Milli(toDateTime64({p4:String}, 3, 'UTC'))) / 2629746000)) + 1) * 1) WHEN addMonths(toDateTime64({p4:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String})))) - toUnixTimestamp64Milli(toDateTime64({p4:String}, 3, 'UTC'))) / 2629746000)) * 1) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String}))) THEN addMonths(toDateTime64({p4:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String})))) - toUnixTimestamp64Milli(toDateTime64({p4:String}, 3, 'UTC'))) / 2629746000)) * 1) ELSE addMonths(toDateTime64({p4:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p3:String})))) - toUnixTimestamp64Milli(toDateTime64({p4:String}, 3, 'UTC'))) / 2629746000)) - 1) * 1) END AS "orders__created_at_month_end",
  CASE WHEN addSeconds(addMonths(toDateTime64({p6:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) + 1) * 3), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) + 1) * 129600) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String}))) THEN addSeconds(addMonths(toDateTime64({p6:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) + 1) * 3), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) + 1) * 129600) WHEN addSeconds(addMonths(toDateTime64({p6:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) * 3), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) * 129600) <= addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String}))) THEN addSeconds(addMonths(toDateTime64({p6:String}, 3, 'UTC'), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) * 3), toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) * 129600) ELSE addSeconds(addMonths(toDateTime64({p6:String}, 3, 'UTC'), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) - 1) * 3), (toInt64(floor((toUnixTimestamp64Milli(addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p5:String})))) - toUnixTimestamp64Milli(toDateTime64({p6:String}, 3, 'UTC'))) / 8018838000)) - 1) * 129600) END AS "orders__created_at_season",
  count(*) AS "orders__count",
  sum("orders".amount) AS "orders__revenue"
FROM orders AS "orders"
WHERE "orders".created_at >= toDateTime64({p7:String}, 3, 'UTC') AND "orders".created_at <= toDateTime64({p8:String}, 3, 'UTC')
GROUP BY 1, 2, 3
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2023-12-31T23:00:00.000","2024-12-31T22:59:59.999"]

-- links
SELECT
  "customers".id AS "customers__id",
  toString('https://example.com/find') || toString({p1:String}) || toString(encodeURLComponent(toString("customers".name))) || toString({p2:String}) || toString(encodeURLComponent(toString(coalesce("customers".city, '=')))) AS "customers__name___link_search_url",
  toString({p3:String}) || toString({p4:String}) || toString(encodeURLComponent(toString("customers".id))) AS "customers__name___link_board_url",
  'mailto:' || "customers".name AS "people__p_person___link_plain_url",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3, 4
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id="]

-- measure-filters-and-having
SELECT
  "orders".status AS "orders__status",
  sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) AS "orders__large_revenue",
  count(*) AS "orders__count"
FROM orders AS "orders"
GROUP BY 1
HAVING count(*) >= CAST({p1:String} AS Decimal(38, 0)) AND (sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) > CAST({p2:String} AS Decimal(38, 1)) OR sum(CASE WHEN ("orders".amount > 6) AND ("orders".status <> 'cancelled' OR "orders".status IS NULL) THEN "orders".amount END) IS NULL)
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["3","100.5"]

-- multi-fact
WITH "hedron_fact_1" AS (
  SELECT
    "customers".city AS "activity__city",
    toDateTime64(date_trunc('year', toDateTime64("customers".signed_up, 6, 'UTC')), 3, 'UTC') AS "activity__signed_up_year",
    sum("orders".amount) AS "orders__revenue_part"
  FROM orders AS "orders"
  LEFT JOIN customers AS "customers" ON "orders".customer_id = "customers".id
  WHERE ("customers".signed_up >= toDateTime64({p1:String}, 3, 'UTC') AND "customers".signed_up <= toDateTime64({p2:String}, 3, 'UTC')) AND ("orders".amount > 5) AND ("orders".status = {p3:String} OR "orders".status IS NULL)
  GROUP BY 1, 2
), "hedron_fact_2" AS (
  SELECT
    "customers".city AS "activity__city",
    toDateTime64(date_trunc('year', toDateTime64("customers".signed_up, 6, 'UTC')), 3, 'UTC') AS "activity__signed_up_year",
    sum("profiles".points) AS "profiles__points_part"
  FROM profiles AS "profiles"
  LEFT JOIN customers AS "customers" ON "profiles".customer_id = "customers".id
  WHERE "customers".signed_up >= toDateTime64({p4:String}, 3, 'UTC') AND "customers".signed_up <= toDateTime64({p5:String}, 3, 'UTC')
  GROUP BY 1, 2
), "hedron_fact_3" AS (
  SELECT
    "customers".city AS "activity__city",
    toDateTime64(date_trunc('year', toDateTime64("customers".signed_up, 6, 'UTC')), 3, 'UTC') AS "activity__signed_up_year",
    count(*) AS "customers__count_part"
  FROM customers AS "customers"
  WHERE "customers".signed_up >= toDateTime64({p6:String}, 3, 'UTC') AND "customers".signed_up <= toDateTime64({p7:String}, 3, 'UTC')
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
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
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
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- []

-- text-filters
SELECT
  "customers".name AS "customers__name"
FROM customers AS "customers"
WHERE (toString("customers".name) ILIKE {p1:String} OR toString("customers".name) ILIKE {p2:String}) AND ((toString("customers".name) NOT ILIKE {p3:String}) OR "customers".name IS NULL) AND ((toString("customers".city) NOT ILIKE {p4:String}) OR "customers".city IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["%\\_100\\%%","%CEMIL%","%x","b%"]

-- weeks-and-hours
SELECT
  toDateTime64(date_trunc('week', addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p1:String})))), 3, 'UTC') AS "orders__created_at_week",
  toDateTime64(date_trunc('hour', addSeconds(toDateTime64("orders".created_at, 6, 'UTC'), timeZoneOffset(toTimeZone(toDateTime64("orders".created_at, 6, 'UTC'), {p2:String})))), 3, 'UTC') AS "orders__created_at_hour",
  count(*) AS "orders__count"
FROM orders AS "orders"
WHERE "orders".created_at > toDateTime64({p3:String}, 3, 'UTC')
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, enable_extended_results_for_datetime_functions = 1
-- ["Europe/Berlin","Europe/Berlin","2024-03-10T22:59:59.999"]
