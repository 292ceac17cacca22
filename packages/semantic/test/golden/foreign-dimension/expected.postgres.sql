SELECT
  coalesce("profiles".level, 'none') AS "customers__level",
  count(*) AS "customers__count"
FROM customers AS "customers"
LEFT JOIN (
  SELECT customer_id, level, points FROM profiles
) AS "profiles" ON "customers".id = "profiles".customer_id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
