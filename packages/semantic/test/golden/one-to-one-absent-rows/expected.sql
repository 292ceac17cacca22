SELECT
  "customers".is_member AS "customers__is_member",
  sum(CASE WHEN "profiles".customer_id IS NOT NULL THEN (coalesce("profiles".points, 0) + 1) END) AS "profiles__points",
  count("profiles".customer_id) AS "profiles__count",
  count(*) AS "customers__count"
FROM customers AS "customers"
LEFT JOIN (
  SELECT customer_id, level, points FROM profiles
) AS "profiles" ON "customers".id = "profiles".customer_id
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $1
-- [10000]
