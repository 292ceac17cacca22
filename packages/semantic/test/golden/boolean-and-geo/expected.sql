SELECT
  CAST("customers".latitude AS VARCHAR) || CAST($1 AS VARCHAR) || CAST("customers".longitude AS VARCHAR) AS "customers__place",
  "customers".is_member AS "customers__is_member"
FROM customers AS "customers"
WHERE "customers".is_member = CAST($2 AS BOOLEAN)
GROUP BY 1, 2
ORDER BY 1 ASC NULLS LAST, 2 ASC NULLS LAST
LIMIT $3
-- [",","true",10000]
