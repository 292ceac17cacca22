SELECT
  "customers".id AS "customers__id",
  CAST('https://example.com/find' AS VARCHAR) || CAST($1 AS VARCHAR) || CAST(url_encode(CAST("customers".name AS VARCHAR)) AS VARCHAR) || CAST($2 AS VARCHAR) || CAST(url_encode(CAST(coalesce("customers".city, '=') AS VARCHAR)) AS VARCHAR) AS "customers__name___link_search_url",
  CAST($3 AS VARCHAR) || CAST($4 AS VARCHAR) || CAST(url_encode(CAST("customers".id AS VARCHAR)) AS VARCHAR) AS "customers__name___link_board_url",
  'mailto:' || "customers".name AS "people__p_person___link_plain_url",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3, 4
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT $5
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id=",10000]
