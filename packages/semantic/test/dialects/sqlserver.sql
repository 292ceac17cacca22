-- aggregates-by-dimension
SELECT TOP (10000) *
FROM (
  SELECT
    [orders].status AS [orders__status],
    COUNT_BIG(*) AS [orders__count],
    sum([orders].amount) AS [orders__revenue],
    avg(CAST([orders].amount AS FLOAT(53))) AS [orders__average],
    min([orders].amount) AS [orders__smallest],
    COUNT_BIG(DISTINCT [orders].customer_id) AS [orders__buyers],
    approx_count_distinct([orders].customer_id) AS [orders__buyers_about],
    COUNT_BIG(CASE WHEN [orders].status = 'done' THEN 1 END) AS [orders__done]
  FROM orders AS [orders]
  GROUP BY [orders].status
) AS [rows]
ORDER BY [orders__count] DESC, CASE WHEN [orders__status] IS NULL THEN 1 ELSE 0 END, [orders__status] ASC
-- []

-- boolean-and-geo
SELECT TOP (10000) *
FROM (
  SELECT
    [group keys].[customers__place] AS [customers__place],
    [group keys].[customers__is_member] AS [customers__is_member]
  FROM customers AS [customers]
  CROSS APPLY (
    SELECT
      CAST(CAST([customers].latitude AS DECIMAL(28, 10)) AS NVARCHAR(MAX)) + CAST(@p1 AS NVARCHAR(MAX)) + CAST(CAST([customers].longitude AS DECIMAL(28, 10)) AS NVARCHAR(MAX)) AS [customers__place],
      [customers].is_member AS [customers__is_member]
  ) AS [group keys]
  WHERE [customers].is_member = CAST(@p2 AS BIT)
  GROUP BY [group keys].[customers__place], [group keys].[customers__is_member]
) AS [rows]
ORDER BY CASE WHEN [customers__place] IS NULL THEN 1 ELSE 0 END, [customers__place] ASC, CASE WHEN [customers__is_member] IS NULL THEN 1 ELSE 0 END, [customers__is_member] ASC
-- [",","true"]

-- custom-granularities
SELECT TOP (10000) *
FROM (
  SELECT
    [group keys].[customers__signed_up_fiscal_year] AS [customers__signed_up_fiscal_year],
    [group keys].[customers__signed_up_five_months] AS [customers__signed_up_five_months],
    [group keys].[customers__signed_up_quarter_hour] AS [customers__signed_up_quarter_hour],
    COUNT_BIG(*) AS [customers__count]
  FROM customers AS [customers]
  CROSS APPLY (
    SELECT
      DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(MONTH, CAST(@p1 AS DATETIME2), CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2)) AS FLOAT(53)) / 12) * 12 AS INT), CAST(@p1 AS DATETIME2)) AS [customers__signed_up_fiscal_year],
      DATEADD(DAY, 9, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(MONTH, CAST(@p2 AS DATETIME2), DATEADD(DAY, -9, CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2))) AS FLOAT(53)) / 5) * 5 AS INT), CAST(@p2 AS DATETIME2))) AS [customers__signed_up_five_months],
      DATEADD(MINUTE, CAST(floor(CAST(DATEDIFF_BIG(MILLISECOND, CAST(@p3 AS DATETIME2), CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2)) AS FLOAT(53)) / 900000) * 15 AS INT), CAST(@p3 AS DATETIME2)) AS [customers__signed_up_quarter_hour]
  ) AS [group keys]
  GROUP BY [group keys].[customers__signed_up_fiscal_year], [group keys].[customers__signed_up_five_months], [group keys].[customers__signed_up_quarter_hour]
) AS [rows]
ORDER BY CASE WHEN [customers__signed_up_quarter_hour] IS NULL THEN 1 ELSE 0 END, [customers__signed_up_quarter_hour] ASC, CASE WHEN [customers__signed_up_fiscal_year] IS NULL THEN 1 ELSE 0 END, [customers__signed_up_fiscal_year] ASC, CASE WHEN [customers__signed_up_five_months] IS NULL THEN 1 ELSE 0 END, [customers__signed_up_five_months] ASC
-- ["2000-02-01T00:00:00.000","2023-02-01T00:00:00.000","2000-01-01T00:00:00.000"]

-- date-filters
SELECT TOP (10000) *
FROM (
  SELECT
    [orders].id AS [orders__id]
  FROM orders AS [orders]
  WHERE (([orders].created_at >= CAST(@p1 AS DATETIME2) AND [orders].created_at <= CAST(@p2 AS DATETIME2)) OR ([orders].created_at >= CAST(@p3 AS DATETIME2) AND [orders].created_at <= CAST(@p4 AS DATETIME2)) OR [orders].created_at < CAST(@p5 AS DATETIME2) OR [orders].created_at = CAST(@p6 AS DATETIME2)) AND 1 = 1 AND ([orders].created_at < CAST(@p7 AS DATETIME2) OR [orders].created_at > CAST(@p8 AS DATETIME2))
  GROUP BY [orders].id
) AS [rows]
ORDER BY CASE WHEN [orders__id] IS NULL THEN 1 ELSE 0 END, [orders__id] ASC
-- ["2024-01-01T05:00:00.000","2024-01-02T04:59:59.999","2024-03-10T05:00:00.000","2024-03-11T03:59:59.999","2024-01-01T05:00:00.000","2024-02-29T12:00:00.000","2025-01-01T05:00:00.000","2025-01-03T04:59:59.999"]

-- fan-out-both-sides
SELECT TOP (10000) *
FROM (
  SELECT
    [part_1].[customers__city] AS [customers__city],
    [part_2].[orders__revenue_part] AS [orders__revenue],
    [part_2].[orders__count_part] AS [orders__count],
    [part_1].[line_items__quantity_part] AS [li__quantity],
    [part_1].[line_items__value_part] AS [li__value],
    [part_1].[line_items__count_part] AS [li__count]
  FROM (
    SELECT
      [customers].city AS [customers__city],
      sum([li].quantity) AS [line_items__quantity_part],
      sum(CASE WHEN [li].order_id IS NOT NULL THEN ([li].quantity * [li].price) END) AS [line_items__value_part],
      COUNT_BIG([li].order_id) AS [line_items__count_part]
    FROM orders AS [orders]
    LEFT JOIN line_items AS [li] ON [orders].id = [li].order_id
    LEFT JOIN customers AS [customers] ON [orders].customer_id = [customers].id
    GROUP BY [customers].city
  ) AS [part_1]
  JOIN (
    SELECT
      [orders_keys].[customers__city] AS [customers__city],
      sum([orders].amount) AS [orders__revenue_part],
      COUNT_BIG([orders].id) AS [orders__count_part]
    FROM (
      SELECT
        [customers].city AS [customers__city],
        [orders].id AS [key_1]
      FROM orders AS [orders]
      LEFT JOIN line_items AS [li] ON [orders].id = [li].order_id
      LEFT JOIN customers AS [customers] ON [orders].customer_id = [customers].id
      GROUP BY [customers].city, [orders].id
    ) AS [orders_keys]
    LEFT JOIN orders AS [orders] ON [orders_keys].[key_1] = [orders].id
    GROUP BY [orders_keys].[customers__city]
  ) AS [part_2] ON EXISTS (SELECT [part_1].[customers__city] INTERSECT SELECT [part_2].[customers__city])
) AS [rows]
ORDER BY CASE WHEN [customers__city] IS NULL THEN 1 ELSE 0 END, [customers__city] ASC
-- []

-- granularities-of-months-and-days
SELECT TOP (10000) *
FROM (
  SELECT
    [group keys].[orders__created_at_billing] AS [orders__created_at_billing],
    [group keys].[orders__created_at_month_end] AS [orders__created_at_month_end],
    [group keys].[orders__created_at_season] AS [orders__created_at_season],
    COUNT_BIG(*) AS [orders__count],
    sum([orders].amount) AS [orders__revenue]
  FROM orders AS [orders]
  CROSS APPLY (
    SELECT
      CASE WHEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) + 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) + 1) * 1, CAST(@p2 AS DATETIME2))) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2) THEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) + 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) + 1) * 1, CAST(@p2 AS DATETIME2))) WHEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) * 172800, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) * 1, CAST(@p2 AS DATETIME2))) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2) THEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) * 172800, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) * 1, CAST(@p2 AS DATETIME2))) ELSE DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) - 1) * 172800, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p2 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) AS FLOAT(53)) / 2802546) AS INT) - 1) * 1, CAST(@p2 AS DATETIME2))) END AS [orders__created_at_billing],
      CASE WHEN DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p4 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2)) AS FLOAT(53)) / 2629746) AS INT) + 1) * 1, CAST(@p4 AS DATETIME2)) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2) THEN DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p4 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2)) AS FLOAT(53)) / 2629746) AS INT) + 1) * 1, CAST(@p4 AS DATETIME2)) WHEN DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p4 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2)) AS FLOAT(53)) / 2629746) AS INT) * 1, CAST(@p4 AS DATETIME2)) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2) THEN DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p4 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2)) AS FLOAT(53)) / 2629746) AS INT) * 1, CAST(@p4 AS DATETIME2)) ELSE DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p4 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p3 AS DATETIME2)) AS FLOAT(53)) / 2629746) AS INT) - 1) * 1, CAST(@p4 AS DATETIME2)) END AS [orders__created_at_month_end],
      CASE WHEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) + 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) + 1) * 3, CAST(@p6 AS DATETIME2))) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2) THEN DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) + 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) + 1) * 3, CAST(@p6 AS DATETIME2))) WHEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) * 129600, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) * 3, CAST(@p6 AS DATETIME2))) <= CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2) THEN DATEADD(SECOND, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) * 129600, DATEADD(MONTH, CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) * 3, CAST(@p6 AS DATETIME2))) ELSE DATEADD(SECOND, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) - 1) * 129600, DATEADD(MONTH, (CAST(floor(CAST(DATEDIFF_BIG(SECOND, CAST(@p6 AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p5 AS DATETIME2)) AS FLOAT(53)) / 8018838) AS INT) - 1) * 3, CAST(@p6 AS DATETIME2))) END AS [orders__created_at_season]
  ) AS [group keys]
  WHERE [orders].created_at >= CAST(@p7 AS DATETIME2) AND [orders].created_at <= CAST(@p8 AS DATETIME2)
  GROUP BY [group keys].[orders__created_at_billing], [group keys].[orders__created_at_month_end], [group keys].[orders__created_at_season]
) AS [rows]
ORDER BY CASE WHEN [orders__created_at_billing] IS NULL THEN 1 ELSE 0 END, [orders__created_at_billing] ASC, CASE WHEN [orders__created_at_month_end] IS NULL THEN 1 ELSE 0 END, [orders__created_at_month_end] ASC, CASE WHEN [orders__created_at_season] IS NULL THEN 1 ELSE 0 END, [orders__created_at_season] ASC
-- ["W. Europe Standard Time","2023-12-31T00:00:00.000","W. Europe Standard Time","2024-01-31T00:00:00.000","W. Europe Standard Time","2025-08-30T06:00:00.000","2023-12-31T23:00:00.000","2024-12-31T22:59:59.999"]

-- links
SELECT TOP (10000) *
FROM (
  SELECT
    [group keys].[customers__id] AS [customers__id],
    [group keys].[customers__name___link_search_url] AS [customers__name___link_search_url],
    [group keys].[customers__name___link_board_url] AS [customers__name___link_board_url],
    [group keys].[people__p_person___link_plain_url] AS [people__p_person___link_plain_url],
    COUNT_BIG(*) AS [customers__count]
  FROM customers AS [customers]
  CROSS APPLY (
    SELECT
      [customers].id AS [customers__id],
      CAST('https://example.com/find' AS NVARCHAR(MAX)) + CAST(@p1 AS NVARCHAR(MAX)) + CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST([customers].name AS NVARCHAR(MAX)), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS NVARCHAR(MAX)) + CAST(@p2 AS NVARCHAR(MAX)) + CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(coalesce([customers].city, '=') AS NVARCHAR(MAX)), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS NVARCHAR(MAX)) AS [customers__name___link_search_url],
      CAST(@p3 AS NVARCHAR(MAX)) + CAST(@p4 AS NVARCHAR(MAX)) + CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST([customers].id AS NVARCHAR(MAX)), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS NVARCHAR(MAX)) AS [customers__name___link_board_url],
      'mailto:' || [customers].name AS [people__p_person___link_plain_url]
  ) AS [group keys]
  GROUP BY [group keys].[customers__id], [group keys].[customers__name___link_search_url], [group keys].[customers__name___link_board_url], [group keys].[people__p_person___link_plain_url]
) AS [rows]
ORDER BY CASE WHEN [customers__id] IS NULL THEN 1 ELSE 0 END, [customers__id] ASC, CASE WHEN [customers__name___link_search_url] IS NULL THEN 1 ELSE 0 END, [customers__name___link_search_url] ASC, CASE WHEN [customers__name___link_board_url] IS NULL THEN 1 ELSE 0 END, [customers__name___link_board_url] ASC, CASE WHEN [people__p_person___link_plain_url] IS NULL THEN 1 ELSE 0 END, [people__p_person___link_plain_url] ASC
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id="]

-- measure-filters-and-having
SELECT TOP (10000) *
FROM (
  SELECT
    [orders].status AS [orders__status],
    sum(CASE WHEN ([orders].amount > 6) AND ([orders].status <> 'cancelled' OR [orders].status IS NULL) THEN [orders].amount END) AS [orders__large_revenue],
    COUNT_BIG(*) AS [orders__count]
  FROM orders AS [orders]
  GROUP BY [orders].status
  HAVING COUNT_BIG(*) >= CAST(@p1 AS DECIMAL(38, 0)) AND (sum(CASE WHEN ([orders].amount > 6) AND ([orders].status <> 'cancelled' OR [orders].status IS NULL) THEN [orders].amount END) > CAST(@p2 AS DECIMAL(38, 1)) OR sum(CASE WHEN ([orders].amount > 6) AND ([orders].status <> 'cancelled' OR [orders].status IS NULL) THEN [orders].amount END) IS NULL)
) AS [rows]
ORDER BY [orders__large_revenue] DESC, CASE WHEN [orders__status] IS NULL THEN 1 ELSE 0 END, [orders__status] ASC
-- ["3","100.5"]

-- multi-fact
WITH [hedron_fact_1] AS (
  SELECT
    [group keys].[activity__city] AS [activity__city],
    [group keys].[activity__signed_up_year] AS [activity__signed_up_year],
    sum([orders].amount) AS [orders__revenue_part]
  FROM orders AS [orders]
  LEFT JOIN customers AS [customers] ON [orders].customer_id = [customers].id
  CROSS APPLY (
    SELECT
      [customers].city AS [activity__city],
      DATEADD(YEAR, DATEDIFF(YEAR, CAST('1900-01-01' AS DATETIME2), CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2)), CAST('1900-01-01' AS DATETIME2)) AS [activity__signed_up_year]
  ) AS [group keys]
  WHERE ([customers].signed_up >= CAST(@p1 AS DATETIME2) AND [customers].signed_up <= CAST(@p2 AS DATETIME2)) AND ([orders].amount > 5) AND ([orders].status = @p3 OR [orders].status IS NULL)
  GROUP BY [group keys].[activity__city], [group keys].[activity__signed_up_year]
), [hedron_fact_2] AS (
  SELECT
    [group keys].[activity__city] AS [activity__city],
    [group keys].[activity__signed_up_year] AS [activity__signed_up_year],
    sum([profiles].points) AS [profiles__points_part]
  FROM profiles AS [profiles]
  LEFT JOIN customers AS [customers] ON [profiles].customer_id = [customers].id
  CROSS APPLY (
    SELECT
      [customers].city AS [activity__city],
      DATEADD(YEAR, DATEDIFF(YEAR, CAST('1900-01-01' AS DATETIME2), CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2)), CAST('1900-01-01' AS DATETIME2)) AS [activity__signed_up_year]
  ) AS [group keys]
  WHERE [customers].signed_up >= CAST(@p4 AS DATETIME2) AND [customers].signed_up <= CAST(@p5 AS DATETIME2)
  GROUP BY [group keys].[activity__city], [group keys].[activity__signed_up_year]
), [hedron_fact_3] AS (
  SELECT
    [group keys].[activity__city] AS [activity__city],
    [group keys].[activity__signed_up_year] AS [activity__signed_up_year],
    COUNT_BIG(*) AS [customers__count_part]
  FROM customers AS [customers]
  CROSS APPLY (
    SELECT
      [customers].city AS [activity__city],
      DATEADD(YEAR, DATEDIFF(YEAR, CAST('1900-01-01' AS DATETIME2), CAST(CAST([customers].signed_up AS DATETIMEOFFSET) AT TIME ZONE 'UTC' AS DATETIME2)), CAST('1900-01-01' AS DATETIME2)) AS [activity__signed_up_year]
  ) AS [group keys]
  WHERE [customers].signed_up >= CAST(@p6 AS DATETIME2) AND [customers].signed_up <= CAST(@p7 AS DATETIME2)
  GROUP BY [group keys].[activity__city], [group keys].[activity__signed_up_year]
)
SELECT TOP (10000) *
FROM (
  SELECT
    [groups].[activity__city] AS [activity__city],
    [groups].[activity__signed_up_year] AS [activity__signed_up_year],
    [hedron_fact_1].[orders__revenue_part] AS [activity__revenue],
    [hedron_fact_2].[profiles__points_part] AS [activity__points],
    [hedron_fact_3].[customers__count_part] AS [activity__customers],
    [hedron_fact_1].[orders__revenue_part] / [hedron_fact_2].[profiles__points_part] AS [activity__revenue_per_point]
  FROM (
    SELECT DISTINCT [activity__city], [activity__signed_up_year] FROM (
      SELECT [activity__city], [activity__signed_up_year] FROM [hedron_fact_1]
      UNION ALL
      SELECT [activity__city], [activity__signed_up_year] FROM [hedron_fact_2]
      UNION ALL
      SELECT [activity__city], [activity__signed_up_year] FROM [hedron_fact_3]
    ) AS [all_groups]
  ) AS [groups]
  LEFT JOIN [hedron_fact_1] ON EXISTS (SELECT [groups].[activity__city] INTERSECT SELECT [hedron_fact_1].[activity__city]) AND EXISTS (SELECT [groups].[activity__signed_up_year] INTERSECT SELECT [hedron_fact_1].[activity__signed_up_year])
  LEFT JOIN [hedron_fact_2] ON EXISTS (SELECT [groups].[activity__city] INTERSECT SELECT [hedron_fact_2].[activity__city]) AND EXISTS (SELECT [groups].[activity__signed_up_year] INTERSECT SELECT [hedron_fact_2].[activity__signed_up_year])
  LEFT JOIN [hedron_fact_3] ON EXISTS (SELECT [groups].[activity__city] INTERSECT SELECT [hedron_fact_3].[activity__city]) AND EXISTS (SELECT [groups].[activity__signed_up_year] INTERSECT SELECT [hedron_fact_3].[activity__signed_up_year])
) AS [rows]
ORDER BY CASE WHEN [activity__signed_up_year] IS NULL THEN 1 ELSE 0 END, [activity__signed_up_year] ASC, CASE WHEN [activity__city] IS NULL THEN 1 ELSE 0 END, [activity__city] ASC
-- ["2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","done","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999","2023-01-01T00:00:00.000","2024-12-31T23:59:59.999"]

-- order-limit-offset
SELECT *
FROM (
  SELECT
    [orders].id AS [orders__id],
    [orders].status AS [orders__status],
    sum([orders].amount) AS [orders__revenue]
  FROM orders AS [orders]
  GROUP BY [orders].id, [orders].status
) AS [rows]
ORDER BY [orders__status] DESC, [orders__revenue] DESC, CASE WHEN [orders__id] IS NULL THEN 1 ELSE 0 END, [orders__id] ASC
OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY
-- []

-- text-filters
SELECT TOP (10000) *
FROM (
  SELECT
    [customers].name AS [customers__name]
  FROM customers AS [customers]
  WHERE (lower(CAST([customers].name AS NVARCHAR(MAX))) LIKE lower(@p1) ESCAPE '\' OR lower(CAST([customers].name AS NVARCHAR(MAX))) LIKE lower(@p2) ESCAPE '\') AND ((lower(CAST([customers].name AS NVARCHAR(MAX))) NOT LIKE lower(@p3) ESCAPE '\') OR [customers].name IS NULL) AND ((lower(CAST([customers].city AS NVARCHAR(MAX))) NOT LIKE lower(@p4) ESCAPE '\') OR [customers].city IS NULL)
  GROUP BY [customers].name
) AS [rows]
ORDER BY CASE WHEN [customers__name] IS NULL THEN 1 ELSE 0 END, [customers__name] ASC
-- ["%\\_100\\%%","%CEMIL%","%x","b%"]

-- weeks-and-hours
SELECT TOP (10000) *
FROM (
  SELECT
    [group keys].[orders__created_at_week] AS [orders__created_at_week],
    [group keys].[orders__created_at_hour] AS [orders__created_at_hour],
    COUNT_BIG(*) AS [orders__count]
  FROM orders AS [orders]
  CROSS APPLY (
    SELECT
      DATEADD(DAY, floor(DATEDIFF(DAY, CAST('1900-01-01' AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p1 AS DATETIME2)) / 7e0) * 7, CAST('1900-01-01' AS DATETIME2)) AS [orders__created_at_week],
      DATEADD(HOUR, DATEDIFF(HOUR, CAST('1900-01-01' AS DATETIME2), CAST(CAST([orders].created_at AS DATETIMEOFFSET) AT TIME ZONE @p2 AS DATETIME2)), CAST('1900-01-01' AS DATETIME2)) AS [orders__created_at_hour]
  ) AS [group keys]
  WHERE [orders].created_at > CAST(@p3 AS DATETIME2)
  GROUP BY [group keys].[orders__created_at_week], [group keys].[orders__created_at_hour]
) AS [rows]
ORDER BY CASE WHEN [orders__created_at_week] IS NULL THEN 1 ELSE 0 END, [orders__created_at_week] ASC, CASE WHEN [orders__created_at_hour] IS NULL THEN 1 ELSE 0 END, [orders__created_at_hour] ASC
-- ["W. Europe Standard Time","W. Europe Standard Time","2024-03-10T22:59:59.999"]
