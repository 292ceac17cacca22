SELECT
  "customers".name AS "customers__name"
FROM customers AS "customers"
WHERE (CAST("customers".name AS TEXT) ILIKE $1 ESCAPE '\' OR CAST("customers".name AS TEXT) ILIKE $2 ESCAPE '\') AND ((CAST("customers".name AS TEXT) NOT ILIKE $3 ESCAPE '\') OR "customers".name IS NULL) AND ((CAST("customers".city AS TEXT) NOT ILIKE $4 ESCAPE '\') OR "customers".city IS NULL)
GROUP BY 1
ORDER BY 1 ASC NULLS LAST
LIMIT $5
-- ["%\\_100\\%%","%CEMIL%","%x","b%",10000]
