-- aggregates-by-dimension
SELECT *
FROM (
  SELECT
    `orders`.status AS `orders__status`,
    count(*) AS `orders__count`,
    sum(`orders`.amount) AS `orders__revenue`,
    avg(CAST(`orders`.amount AS DOUBLE)) AS `orders__average`,
    min(`orders`.amount) AS `orders__smallest`,
    count(DISTINCT `orders`.customer_id) AS `orders__buyers`,
    count(DISTINCT `orders`.customer_id) AS `orders__buyers_about`,
    count(CASE WHEN `orders`.status = 'done' THEN 1 END) AS `orders__done`
  FROM orders AS `orders`
  GROUP BY 1
) AS `rows`
ORDER BY `orders__count` DESC, CASE WHEN `orders__status` IS NULL THEN 1 ELSE 0 END, `orders__status` ASC
LIMIT 10000
-- []

-- boolean-and-geo
SELECT *
FROM (
  SELECT
    CONCAT(CAST(`customers`.latitude AS CHAR), CAST(? AS CHAR), CAST(`customers`.longitude AS CHAR)) AS `customers__place`,
    `customers`.is_member AS `customers__is_member`
  FROM customers AS `customers`
  WHERE `customers`.is_member = (? = 'true')
  GROUP BY 1, 2
) AS `rows`
ORDER BY CASE WHEN `customers__place` IS NULL THEN 1 ELSE 0 END, `customers__place` ASC, CASE WHEN `customers__is_member` IS NULL THEN 1 ELSE 0 END, `customers__is_member` ASC
LIMIT 10000
-- [",","true"]

-- custom-granularities
SELECT *
FROM (
  SELECT
    (CAST(? AS DATETIME(6)) + INTERVAL floor(((YEAR(CAST(`customers`.signed_up AS DATETIME(6))) * 12 + MONTH(CAST(`customers`.signed_up AS DATETIME(6)))) - (YEAR(CAST(? AS DATETIME(6))) * 12 + MONTH(CAST(? AS DATETIME(6))))) / 12e0) * 12 MONTH) AS `customers__signed_up_fiscal_year`,
    ((CAST(? AS DATETIME(6)) + INTERVAL floor(((YEAR((CAST(`customers`.signed_up AS DATETIME(6)) + INTERVAL -777600000000 MICROSECOND)) * 12 + MONTH((CAST(`customers`.signed_up AS DATETIME(6)) + INTERVAL -777600000000 MICROSECOND))) - (YEAR(CAST(? AS DATETIME(6))) * 12 + MONTH(CAST(? AS DATETIME(6))))) / 5e0) * 5 MONTH) + INTERVAL 777600000000 MICROSECOND) AS `customers__signed_up_five_months`,
    (CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(MICROSECOND, CAST(? AS DATETIME(6)), CAST(`customers`.signed_up AS DATETIME(6))) / 900e6) * 900 SECOND) AS `customers__signed_up_quarter_hour`,
    count(*) AS `customers__count`
  FROM customers AS `customers`
  GROUP BY 1, 2, 3
) AS `rows`
ORDER BY CASE WHEN `customers__signed_up_quarter_hour` IS NULL THEN 1 ELSE 0 END, `customers__signed_up_quarter_hour` ASC, CASE WHEN `customers__signed_up_fiscal_year` IS NULL THEN 1 ELSE 0 END, `customers__signed_up_fiscal_year` ASC, CASE WHEN `customers__signed_up_five_months` IS NULL THEN 1 ELSE 0 END, `customers__signed_up_five_months` ASC
LIMIT 10000
-- ["2000-02-01T00:00:00.000","2000-02-01T00:00:00.000","2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2023-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000","2000-01-01T00:00:00.000"]

-- date-filters
SELECT *
FROM (
  SELECT
    `orders`.id AS `orders__id`
  FROM orders AS `orders`
  WHERE ((`orders`.created_at >= CAST(? AS DATETIME(6)) AND `orders`.created_at <= CAST(? AS DATETIME(6))) OR (`orders`.created_at >= CAST(? AS DATETIME(6)) AND `orders`.created_at <= CAST(? AS DATETIME(6))) OR `orders`.created_at < CAST(? AS DATETIME(6)) OR `orders`.created_at = CAST(? AS DATETIME(6))) AND 1 = 1 AND (`orders`.created_at < CAST(? AS DATETIME(6)) OR `orders`.created_at > CAST(? AS DATETIME(6)))
  GROUP BY 1
) AS `rows`
ORDER BY CASE WHEN `orders__id` IS NULL THEN 1 ELSE 0 END, `orders__id` ASC
LIMIT 10000
-- ["2024-01-01T05:00:00.000","2024-01-02T04:59:59.999","2024-03-10T05:00:00.000","2024-03-11T03:59:59.999","2024-01-01T05:00:00.000","2024-02-29T12:00:00.000","2025-01-01T05:00:00.000","2025-01-03T04:59:59.999"]

-- fan-out-both-sides
SELECT *
FROM (
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
) AS `rows`
ORDER BY CASE WHEN `customers__city` IS NULL THEN 1 ELSE 0 END, `customers__city` ASC
LIMIT 10000
-- []

-- granularities-of-months-and-days
SELECT *
FROM (
  SELECT
    CASE WHEN ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) + 1) * 1 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) + 1) * 172800 SECOND) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) + 1) * 1 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) + 1) * 172800 SECOND) WHEN ((CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) * 1 MONTH) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) * 172800 SECOND) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN ((CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) * 1 MONTH) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) * 172800 SECOND) ELSE ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) - 1) * 1 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2802546e0) - 1) * 172800 SECOND) END AS `orders__created_at_billing`,
    CASE WHEN (CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2629746e0) + 1) * 1 MONTH) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN (CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2629746e0) + 1) * 1 MONTH) WHEN (CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2629746e0) * 1 MONTH) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN (CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2629746e0) * 1 MONTH) ELSE (CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 2629746e0) - 1) * 1 MONTH) END AS `orders__created_at_month_end`,
    CASE WHEN ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) + 1) * 3 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) + 1) * 129600 SECOND) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) + 1) * 3 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) + 1) * 129600 SECOND) WHEN ((CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) * 3 MONTH) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) * 129600 SECOND) <= CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?) THEN ((CAST(? AS DATETIME(6)) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) * 3 MONTH) + INTERVAL floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) * 129600 SECOND) ELSE ((CAST(? AS DATETIME(6)) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) - 1) * 3 MONTH) + INTERVAL (floor(TIMESTAMPDIFF(SECOND, CAST(? AS DATETIME(6)), CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) / 8018838e0) - 1) * 129600 SECOND) END AS `orders__created_at_season`,
    count(*) AS `orders__count`,
    sum(`orders`.amount) AS `orders__revenue`
  FROM orders AS `orders`
  WHERE `orders`.created_at >= CAST(? AS DATETIME(6)) AND `orders`.created_at <= CAST(? AS DATETIME(6))
  GROUP BY 1, 2, 3
) AS `rows`
ORDER BY CASE WHEN `orders__created_at_billing` IS NULL THEN 1 ELSE 0 END, `orders__created_at_billing` ASC, CASE WHEN `orders__created_at_month_end` IS NULL THEN 1 ELSE 0 END, `orders__created_at_month_end` ASC, CASE WHEN `orders__created_at_season` IS NULL THEN 1 ELSE 0 END, `orders__created_at_season` ASC
LIMIT 10000
-- ["2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","2023-12-31T00:00:00.000","Europe/Berlin","2023-12-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2024-01-31T00:00:00.000","2024-01-31T00:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","2025-08-30T06:00:00.000","Europe/Berlin","2025-08-30T06:00:00.000","Europe/Berlin","2023-12-31T23:00:00.000","2024-12-31T22:59:59.999"]

-- links
SELECT *
FROM (
  SELECT
    `customers`.id AS `customers__id`,
    CONCAT(CAST('https://example.com/find' AS CHAR), CAST(? AS CHAR), CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(`customers`.name AS CHAR), CHAR(37 USING utf8mb4), '%25'), CHAR(32 USING utf8mb4), '%20'), CHAR(38 USING utf8mb4), '%26'), CHAR(61 USING utf8mb4), '%3D'), CHAR(43 USING utf8mb4), '%2B'), CHAR(35 USING utf8mb4), '%23'), CHAR(63 USING utf8mb4), '%3F'), CHAR(47 USING utf8mb4), '%2F'), CHAR(39 USING utf8mb4), '%27'), CHAR(34 USING utf8mb4), '%22'), CHAR(60 USING utf8mb4), '%3C'), CHAR(62 USING utf8mb4), '%3E'), CHAR(59 USING utf8mb4), '%3B'), CHAR(58 USING utf8mb4), '%3A'), CHAR(64 USING utf8mb4), '%40'), CHAR(44 USING utf8mb4), '%2C') AS CHAR), CAST(? AS CHAR), CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(coalesce(`customers`.city, '=') AS CHAR), CHAR(37 USING utf8mb4), '%25'), CHAR(32 USING utf8mb4), '%20'), CHAR(38 USING utf8mb4), '%26'), CHAR(61 USING utf8mb4), '%3D'), CHAR(43 USING utf8mb4), '%2B'), CHAR(35 USING utf8mb4), '%23'), CHAR(63 USING utf8mb4), '%3F'), CHAR(47 USING utf8mb4), '%2F'), CHAR(39 USING utf8mb4), '%27'), CHAR(34 USING utf8mb4), '%22'), CHAR(60 USING utf8mb4), '%3C'), CHAR(62 USING utf8mb4), '%3E'), CHAR(59 USING utf8mb4), '%3B'), CHAR(58 USING utf8mb4), '%3A'), CHAR(64 USING utf8mb4), '%40'), CHAR(44 USING utf8mb4), '%2C') AS CHAR)) AS `customers__name___link_search_url`,
    CONCAT(CAST(? AS CHAR), CAST(? AS CHAR), CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(`customers`.id AS CHAR), CHAR(37 USING utf8mb4), '%25'), CHAR(32 USING utf8mb4), '%20'), CHAR(38 USING utf8mb4), '%26'), CHAR(61 USING utf8mb4), '%3D'), CHAR(43 USING utf8mb4), '%2B'), CHAR(35 USING utf8mb4), '%23'), CHAR(63 USING utf8mb4), '%3F'), CHAR(47 USING utf8mb4), '%2F'), CHAR(39 USING utf8mb4), '%27'), CHAR(34 USING utf8mb4), '%22'), CHAR(60 USING utf8mb4), '%3C'), CHAR(62 USING utf8mb4), '%3E'), CHAR(59 USING utf8mb4), '%3B'), CHAR(58 USING utf8mb4), '%3A'), CHAR(64 USING utf8mb4), '%40'), CHAR(44 USING utf8mb4), '%2C') AS CHAR)) AS `customers__name___link_board_url`,
    'mailto:' || `customers`.name AS `people__p_person___link_plain_url`,
    count(*) AS `customers__count`
  FROM customers AS `customers`
  GROUP BY 1, 2, 3, 4
) AS `rows`
ORDER BY CASE WHEN `customers__id` IS NULL THEN 1 ELSE 0 END, `customers__id` ASC, CASE WHEN `customers__name___link_search_url` IS NULL THEN 1 ELSE 0 END, `customers__name___link_search_url` ASC, CASE WHEN `customers__name___link_board_url` IS NULL THEN 1 ELSE 0 END, `customers__name___link_board_url` ASC, CASE WHEN `people__p_person___link_plain_url` IS NULL THEN 1 ELSE 0 END, `people__p_person___link_plain_url` ASC
LIMIT 10000
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id="]

-- measure-filters-and-having
SELECT *
FROM (
  SELECT
    `orders`.status AS `orders__status`,
    sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) AS `orders__large_revenue`,
    count(*) AS `orders__count`
  FROM orders AS `orders`
  GROUP BY 1
  HAVING count(*) >= CAST(? AS DECIMAL(65, 0)) AND (sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) > CAST(? AS DECIMAL(65, 1)) OR sum(CASE WHEN (`orders`.amount > 6) AND (`orders`.status <> 'cancelled' OR `orders`.status IS NULL) THEN `orders`.amount END) IS NULL)
) AS `rows`
ORDER BY `orders__large_revenue` DESC, CASE WHEN `orders__status` IS NULL THEN 1 ELSE 0 END, `orders__status` ASC
LIMIT 10000
-- ["3","100.5"]

-- multi-fact
WITH `hedron_fact_1` AS (
  SELECT
    `customers`.city AS `activity__city`,
    CAST(DATE_FORMAT(CAST(`customers`.signed_up AS DATETIME(6)), '%Y-01-01 00:00:00') AS DATETIME) AS `activity__signed_up_year`,
    sum(`orders`.amount) AS `orders__revenue_part`
  FROM orders AS `orders`
  LEFT JOIN customers AS `customers` ON `orders`.customer_id = `customers`.id
  WHERE (`customers`.signed_up >= CAST(? AS DATETIME(6)) AND `customers`.signed_up <= CAST(? AS DATETIME(6))) AND (`orders`.amount > 5) AND (`orders`.status = ? OR `orders`.status IS NULL)
  GROUP BY 1, 2
), `hedron_fact_2` AS (
  SELECT
    `customers`.city AS `activity__city`,
    CAST(DATE_FORMAT(CAST(`customers`.signed_up AS DATETIME(6)), '%Y-01-01 00:00:00') AS DATETIME) AS `activity__signed_up_year`,
    sum(`profiles`.points) AS `profiles__points_part`
  FROM profiles AS `profiles`
  LEFT JOIN customers AS `customers` ON `profiles`.customer_id = `customers`.id
  WHERE `customers`.signed_up >= CAST(? AS DATETIME(6)) AND `customers`.signed_up <= CAST(? AS DATETIME(6))
  GROUP BY 1, 2
), `hedron_fact_3` AS (
  SELECT
    `customers`.city AS `activity__city`,
    CAST(DATE_FORMAT(CAST(`customers`.signed_up AS DATETIME(6)), '%Y-01-01 00:00:00') AS DATETIME) AS `activity__signed_up_year`,
    count(*) AS `customers__count_part`
  FROM customers AS `customers`
  WHERE `customers`.signed_up >= CAST(? AS DATETIME(6)) AND `customers`.signed_up <= CAST(? AS DATETIME(6))
  GROUP BY 1, 2
)
SELECT *
FROM (
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
) AS `rows`
ORDER BY CASE WHEN `activity__signed_up_year` IS NULL THEN 1 ELSE 0 END, `activity__signed_up_year` ASC, CASE WHEN `activity__city` IS NULL THEN 1 ELSE 0 END, `activity__city` ASC
LIMIT 10000
-- ["2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","done","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999"]

-- order-limit-offset
SELECT *
FROM (
  SELECT
    `orders`.id AS `orders__id`,
    `orders`.status AS `orders__status`,
    sum(`orders`.amount) AS `orders__revenue`
  FROM orders AS `orders`
  GROUP BY 1, 2
) AS `rows`
ORDER BY `orders__status` DESC, `orders__revenue` DESC, CASE WHEN `orders__id` IS NULL THEN 1 ELSE 0 END, `orders__id` ASC
LIMIT 3
OFFSET 2
-- []

-- text-filters
SELECT *
FROM (
  SELECT
    `customers`.name AS `customers__name`
  FROM customers AS `customers`
  WHERE (lower(CONVERT(CAST(`customers`.name AS CHAR) USING utf8mb4)) LIKE lower(CONVERT(? USING utf8mb4)) COLLATE utf8mb4_bin OR lower(CONVERT(CAST(`customers`.name AS CHAR) USING utf8mb4)) LIKE lower(CONVERT(? USING utf8mb4)) COLLATE utf8mb4_bin) AND ((lower(CONVERT(CAST(`customers`.name AS CHAR) USING utf8mb4)) NOT LIKE lower(CONVERT(? USING utf8mb4)) COLLATE utf8mb4_bin) OR `customers`.name IS NULL) AND ((lower(CONVERT(CAST(`customers`.city AS CHAR) USING utf8mb4)) NOT LIKE lower(CONVERT(? USING utf8mb4)) COLLATE utf8mb4_bin) OR `customers`.city IS NULL)
  GROUP BY 1
) AS `rows`
ORDER BY CASE WHEN `customers__name` IS NULL THEN 1 ELSE 0 END, `customers__name` ASC
LIMIT 10000
-- ["%\\_100\\%%","%CEMIL%","%x","b%"]

-- weeks-and-hours
SELECT *
FROM (
  SELECT
    CAST(DATE(CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) - INTERVAL WEEKDAY(CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?)) DAY AS DATETIME) AS `orders__created_at_week`,
    CAST(DATE_FORMAT(CONVERT_TZ(CAST(`orders`.created_at AS DATETIME(6)), '+00:00', ?), '%Y-%m-%d %H:00:00') AS DATETIME) AS `orders__created_at_hour`,
    count(*) AS `orders__count`
  FROM orders AS `orders`
  WHERE `orders`.created_at > CAST(? AS DATETIME(6))
  GROUP BY 1, 2
) AS `rows`
ORDER BY CASE WHEN `orders__created_at_week` IS NULL THEN 1 ELSE 0 END, `orders__created_at_week` ASC, CASE WHEN `orders__created_at_hour` IS NULL THEN 1 ELSE 0 END, `orders__created_at_hour` ASC
LIMIT 10000
-- ["Europe/Berlin","Europe/Berlin","Europe/Berlin","2024-03-10T22:59:59.999"]
