SELECT
  "customers".id AS "customers__id",
  CAST('https://example.com/find' AS TEXT) || CAST($1 AS TEXT) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST("customers".name AS TEXT), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS TEXT) || CAST($2 AS TEXT) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST(coalesce("customers".city, '=') AS TEXT), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS TEXT) AS "customers__name___link_search_url",
  CAST($3 AS TEXT) || CAST($4 AS TEXT) || CAST(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(CAST("customers".id AS TEXT), '%', '%25'), ' ', '%20'), '&', '%26'), '=', '%3D'), '+', '%2B'), '#', '%23'), '?', '%3F'), '/', '%2F'), '''', '%27'), '"', '%22'), '<', '%3C'), '>', '%3E'), ';', '%3B'), ':', '%3A'), '@', '%40'), ',', '%2C') AS TEXT) AS "customers__name___link_board_url",
  'mailto:' || "customers".name AS "people__p_person___link_plain_url",
  count(*) AS "customers__count"
FROM customers AS "customers"
GROUP BY 1, 2, 3, 4
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST, 3 ASC NULLS LAST, 4 ASC NULLS LAST
LIMIT $5
-- ["?who%20%26%20where=","&city=","/dashboard/it's 7","?id=",10000]
