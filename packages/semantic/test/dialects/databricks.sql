-- aggregates-by-dimension
SELECT
  `orders`.status AS `orders__status`,
  count(*) AS `orders__count`,
  sum(`orders`.amount) AS `orders__revenue`,
  avg(`orders`.amount) AS `orders__average`,
  min(`orders`.amount) AS `orders__smallest`,
  count(DISTINCT `orders`.customer_id) AS `orders__buyers`,
  approx_count_distinct(`orders`.customer_id) AS `orders__buyers_about`,
  count(CASE WHEN `orders`.status = 'done' THEN 1 END) AS `orders__done`
FROM orders AS `orders`
GROUP BY 1
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- []

-- boolean-and-geo
SELECT
  CAST(`customers`.latitude AS STRING) || CAST(:p1 AS STRING) || CAST(`customers`.longitude AS STRING) AS `customers__place`,
  `customers`.is_member AS `customers__is_member`
FROM customers AS `customers`
WHERE `customers`.is_member = CAST(:p2 AS BOOLEAN)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- [",","true"]

-- custom-granularities
SELECT
  CAST(add_months(CAST(:p1 AS TIMESTAMP), CAST(floor(((year(CAST(`customers`.signed_up AS TIMESTAMP)) * 12 + month(CAST(`customers`.signed_up AS TIMESTAMP))) - (year(CAST(:p1 AS TIMESTAMP)) * 12 + month(CAST(:p1 AS TIMESTAMP)))) / 12) * 12 AS INT)) AS TIMESTAMP) AS `customers__signed_up_fiscal_year`,
  (CAST(add_months(CAST(:p2 AS TIMESTAMP), CAST(floor(((year((CAST(`customers`.signed_up AS TIMESTAMP) - INTERVAL '777600.000' SECOND)) * 12 + month((CAST(`customers`.signed_up AS TIMESTAMP) - INTERVAL '777600.000' SECOND))) - (year(CAST(:p2 AS TIMESTAMP)) * 12 + month(CAST(:p2 AS TIMESTAMP)))) / 5) * 5 AS INT)) AS TIMESTAMP) + INTERVAL '777600.000' SECOND) AS `customers__signed_up_five_months`,
  timestamp_millis(unix_millis(CAST(:p3 AS TIMESTAMP)) + CAST(floor((unix_millis(CAST(`customers`.signed_up AS TIMESTAMP)) - unix_millis(CAST(:p3 AS TIMESTAMP))) / 900000) * 900000 AS BIGINT)) AS `customers__signed_up_quarter_hour`,
  count(*) AS `customers__count`
FROM customers AS `customers`
GROUP BY 1, 2, 3
ORDER BY 3 ASC NULLS LAST, 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- ["2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000"]

-- date-filters
SELECT
  `orders`.id AS `orders__id`
FROM orders AS `orders`
WHERE ((`orders`.created_at >= CAST(:p1 AS TIMESTAMP) AND `orders`.created_at <= CAST(:p2 AS TIMESTAMP)) OR (`orders`.created_at >= CAST(:p3 AS TIMESTAMP) AND `orders`.created_at <= CAST(:p4 AS TIMESTAMP)) OR `orders`.created_at < CAST(:p5 AS TIMESTAMP) OR `orders`.created_at = CAST(:p6 AS TIMESTAMP)) AND 1 = 1 AND (`orders`.created_at < CAST(:p7 AS TIMESTAMP) OR `orders`.created_at > CAST(:p8 AS TIMESTAMP))
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- ["2024-01-01T05:00:00.000","2024-01-02T04:59:59.999","2024-03-10T05:00:00.000","2024-03-11T03:59:59.999","2024-01-01T05:00:00.000","2024-02-29T12:00:00.000","2025-01-01T05:00:00.000","2025-01-03T04:59:59.999"]

-- fan-out-both-sides
SELECT
  `part_1`.`customers__city` AS `customers__city`,
  `part_2`.`orders__revenue_part` AS `orders__revenue`,
  `part_2`.`orders__count_part` AS `orders__count`,
  `part_1`.`line_items__quantity_part` AS `li__quantity`,
  `part_1`.`line_items__value_part` AS `li__value`,
  `part_1`.`line_items__count_part` AS `li__count`
FROM (
  SELECT
    `customers`.city AS `customers__city`,
    sum(`li`.quantity) AS `line_items__quantity_part`,
    sum(CASE WHEN `li`.order_id IS NOT NULL THEN (`li`.quantity * `li`.price) END) AS `line_items__value_part`,
    count(`li`.order_id) AS `line_items__count_part`
  FROM orders AS `orders`
  LEFT JOIN line_items AS `li` ON `orders`.id = `li`.order_id
  LEFT JOIN customers AS `customers` ON `orders`.customer_id = `customers`.id
  GROUP BY 1
) AS `part_1`
JOIN (
  SELECT
    `orders_keys`.`customers__city` AS `customers__city`,
    sum(`orders`.amount) AS `orders__revenue_part`,
    count(`orders`.id) AS `orders__count_part`
  FROM (
    SELECT
      `customers`.city AS `customers__city`,
      `orders`.id AS `key_1`
    FROM orders AS `orders`
    LEFT JOIN line_items AS `li` ON `orders`.id = `li`.order_id
    LEFT JOIN customers AS `customers` ON `orders`.customer_id = `customers`.id
    GROUP BY 1, 2
  ) AS `orders_keys`
  LEFT JOIN orders AS `orders` ON `orders_keys`.`key_1` = `orders`.id
  GROUP BY 1
) AS `part_2` ON `part_1`.`customers__city` <=> `part_2`.`customers__city`
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- []

-- granularities-of-months-and-days
SELECT
  CASE WHEN timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) + 1) * 172800, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) + 1) * 1, CAST(:p2 AS TIMESTAMP))) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1) THEN timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) + 1) * 172800, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) + 1) * 1, CAST(:p2 AS TIMESTAMP))) WHEN timestampadd(SECOND, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) * 172800, timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) * 1, CAST(:p2 AS TIMESTAMP))) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1) THEN timestampadd(SECOND, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) * 172800, timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) * 1, CAST(:p2 AS TIMESTAMP))) ELSE timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) - 1) * 172800, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) - unix_millis(CAST(:p2 AS TIMESTAMP))) / 2802546000) AS INT) - 1) * 1, CAST(:p2 AS TIMESTAMP))) END AS `orders__created_at_billing`,
  CASE WHEN timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3)) - unix_millis(CAST(:p4 AS TIMESTAMP))) / 2629746000) AS INT) + 1) * 1, CAST(:p4 AS TIMESTAMP)) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3) THEN timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3)) - unix_millis(CAST(:p4 AS TIMESTAMP))) / 2629746000) AS INT) + 1) * 1, CAST(:p4 AS TIMESTAMP)) WHEN timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3)) - unix_millis(CAST(:p4 AS TIMESTAMP))) / 2629746000) AS INT) * 1, CAST(:p4 AS TIMESTAMP)) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3) THEN timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3)) - unix_millis(CAST(:p4 AS TIMESTAMP))) / 2629746000) AS INT) * 1, CAST(:p4 AS TIMESTAMP)) ELSE timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p3)) - unix_millis(CAST(:p4 AS TIMESTAMP))) / 2629746000) AS INT) - 1) * 1, CAST(:p4 AS TIMESTAMP)) END AS `orders__created_at_month_end`,
  CASE WHEN timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) + 1) * 129600, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) + 1) * 3, CAST(:p6 AS TIMESTAMP))) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5) THEN timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) + 1) * 129600, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) + 1) * 3, CAST(:p6 AS TIMESTAMP))) WHEN timestampadd(SECOND, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) * 129600, timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) * 3, CAST(:p6 AS TIMESTAMP))) <= from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5) THEN timestampadd(SECOND, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) * 129600, timestampadd(MONTH, CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) * 3, CAST(:p6 AS TIMESTAMP))) ELSE timestampadd(SECOND, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) - 1) * 129600, timestampadd(MONTH, (CAST(floor((unix_millis(from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p5)) - unix_millis(CAST(:p6 AS TIMESTAMP))) / 8018838000) AS INT) - 1) * 3, CAST(:p6 AS TIMESTAMP))) END AS `orders__created_at_season`,
  count(*) AS `orders__count`,
  sum(`orders`.amount) AS `orders__revenue`
FROM orders AS `orders`
WHERE `orders`.created_at >= CAST(:p7 AS TIMESTAMP) AND `orders`.created_at <= CAST(:p8 AS TIMESTAMP)
GROUP BY 1, 2, 3
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST
LIMIT 10000
-- ["Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2023-12-31T23:00:00.000","2024-12-31T22:59:59.999"]

-- links
SELECT
  `customers`.id AS `customers__id`,
  CAST('https://example.com/find' AS STRING) || CAST(:p1 AS STRING) || CAST(url_encode(CAST(`customers`.name AS STRING)) AS STRING) || CAST(:p2 AS STRING) || CAST(url_encode(CAST(coalesce(`customers`.city, '=') AS STRING)) AS STRING) AS `customers__name___link_search_url`,
  CAST(:p3 AS STRING) || CAST(:p4 AS STRING) || CAST(url_encode(CAST(`customers`.id AS STRING)) AS STRING) AS `customers__name___link_board_url`,
  'mailto:' || `customers`.name AS `people__p_person___link_plain_url`,
  count(*) AS `customers__count`
FROM customers AS `customers`
GROUP BY 1, 2, 3, 4
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT 10000
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id="]

-- measure-filters-and-having
SELECT
  `orders`.status AS `orders__status`,
  sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) AS `orders__large_revenue`,
  count(*) AS `orders__count`
FROM orders AS `orders`
GROUP BY 1
HAVING count(*) >= CAST(:p1 AS DECIMAL(38, 0)) AND (sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) > CAST(:p2 AS DECIMAL(38, 1)) OR sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) IS NULL)
ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- ["3","100.5"]

-- multi-fact
WITH `hedron_fact_1` AS (
  SELECT
    `customers`.city AS `activity__city`,
    date_trunc('year', CAST(`customers`.signed_up AS TIMESTAMP)) AS `activity__signed_up_year`,
    sum(`orders`.amount) AS `orders__revenue_part`
  FROM orders AS `orders`
  LEFT JOIN customers AS `customers` ON `orders`.customer_id = `customers`.id
  WHERE (`customers`.signed_up >= CAST(:p1 AS TIMESTAMP) AND `customers`.signed_up <= CAST(:p2 AS TIMESTAMP)) AND (`orders`.amount > 5) AND (`orders`.status = :p3 OR `orders`.status IS NULL)
  GROUP BY 1, 2
), `hedron_fact_2` AS (
  SELECT
    `customers`.city AS `activity__city`,
    date_trunc('year', CAST(`customers`.signed_up AS TIMESTAMP)) AS `activity__signed_up_year`,
    sum(`profiles`.points) AS `profiles__points_part`
  FROM profiles AS `profiles`
  LEFT JOIN customers AS `customers` ON `profiles`.customer_id = `customers`.id
  WHERE `customers`.signed_up >= CAST(:p4 AS TIMESTAMP) AND `customers`.signed_up <= CAST(:p5 AS TIMESTAMP)
  GROUP BY 1, 2
), `hedron_fact_3` AS (
  SELECT
    `customers`.city AS `activity__city`,
    date_trunc('year', CAST(`customers`.signed_up AS TIMESTAMP)) AS `activity__signed_up_year`,
    count(*) AS `customers__count_part`
  FROM customers AS `customers`
  WHERE `customers`.signed_up >= CAST(:p6 AS TIMESTAMP) AND `customers`.signed_up <= CAST(:p7 AS TIMESTAMP)
  GROUP BY 1, 2
)
SELECT
  `groups`.`activity__city` AS `activity__city`,
  `groups`.`activity__signed_up_year` AS `activity__signed_up_year`,
  `hedron_fact_1`.`orders__revenue_part` AS `activity__revenue`,
  `hedron_fact_2`.`profiles__points_part` AS `activity__points`,
  `hedron_fact_3`.`customers__count_part` AS `activity__customers`,
  `hedron_fact_1`.`orders__revenue_part` / `hedron_fact_2`.`profiles__points_part` AS `activity__revenue_per_point`
FROM (
  SELECT DISTINCT `activity__city`, `activity__signed_up_year` FROM (
    SELECT `activity__city`, `activity__signed_up_year` FROM `hedron_fact_1`
    UNION ALL
    SELECT `activity__city`, `activity__signed_up_year` FROM `hedron_fact_2`
    UNION ALL
    SELECT `activity__city`, `activity__signed_up_year` FROM `hedron_fact_3`
  ) AS `all_groups`
) AS `groups`
LEFT JOIN `hedron_fact_1` ON `groups`.`activity__city` <=> `hedron_fact_1`.`activity__city` AND `groups`.`activity__signed_up_year` <=> `hedron_fact_1`.`activity__signed_up_year`
LEFT JOIN `hedron_fact_2` ON `groups`.`activity__city` <=> `hedron_fact_2`.`activity__city` AND `groups`.`activity__signed_up_year` <=> `hedron_fact_2`.`activity__signed_up_year`
LEFT JOIN `hedron_fact_3` ON `groups`.`activity__city` <=> `hedron_fact_3`.`activity__city` AND `groups`.`activity__signed_up_year` <=> `hedron_fact_3`.`activity__signed_up_year`
ORDER BY 2 ASC NULLS LAST, 1 ASC NULLS LAST
LIMIT 10000
-- ["2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","done","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999"]

-- order-limit-offset
SELECT
  `orders`.id AS `orders__id`,
  `orders`.status AS `orders__status`,
  sum(`orders`.amount) AS `orders__revenue`
FROM orders AS `orders`
GROUP BY 1, 2
ORDER BY 2 DESC NULLS LAST, 3 DESC NULLS LAST, 1 ASC NULLS LAST
LIMIT 3
OFFSET 2
-- []

-- text-filters
SELECT
  `customers`.name AS `customers__name`
FROM customers AS `customers`
WHERE (CAST(`customers`.name AS STRING) ILIKE :p1 OR CAST(`customers`.name AS STRING) ILIKE :p2) AND ((CAST(`customers`.name AS STRING) NOT ILIKE :p3) OR `customers`.name IS NULL) AND ((CAST(`customers`.city AS STRING) NOT ILIKE :p4) OR `customers`.city IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT 10000
-- ["%\\_100\\%%","%CEMIL%","%x","b%"]

-- weeks-and-hours
SELECT
  date_trunc('week', from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p1)) AS `orders__created_at_week`,
  date_trunc('hour', from_utc_timestamp(CAST(`orders`.created_at AS TIMESTAMP), :p2)) AS `orders__created_at_hour`,
  count(*) AS `orders__count`
FROM orders AS `orders`
WHERE `orders`.created_at > CAST(:p3 AS TIMESTAMP)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT 10000
-- ["Europe/Berlin","Europe/Berlin","2024-03-10T22:59:59.999"]
