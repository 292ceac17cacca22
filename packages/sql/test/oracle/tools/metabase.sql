SELECT "public"."t"."id" AS "id", "public"."t"."a" AS "a", "public"."t"."s" AS "s", "public"."t"."d" AS "d" FROM "public"."t" LIMIT 2000;
SELECT COUNT(*) AS "count" FROM "public"."t";
SELECT "public"."t"."s" AS "s", SUM("public"."t"."b") AS "sum" FROM "public"."t" GROUP BY "public"."t"."s" ORDER BY "public"."t"."s" ASC;
SELECT CAST(DATE_TRUNC('month', "public"."t"."d") AS date) AS "d", COUNT(*) AS "count" FROM "public"."t" GROUP BY CAST(DATE_TRUNC('month', "public"."t"."d") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."t"."d") AS date) ASC;
SELECT (CAST(EXTRACT(DOW FROM "public"."t"."d") AS integer) + 1) AS "d", COUNT(*) AS "count" FROM "public"."t" GROUP BY (CAST(EXTRACT(DOW FROM "public"."t"."d") AS integer) + 1) ORDER BY 1 ASC;
SELECT "source"."s" AS "s", SUM("source"."double") AS "sum" FROM (SELECT "public"."t"."s" AS "s", "public"."t"."b" * 2 AS "double" FROM "public"."t") AS "source" GROUP BY "source"."s" ORDER BY "source"."s" ASC;
SELECT SUM(CASE WHEN "public"."t"."f" = TRUE THEN 1 ELSE 0.0 END) / CAST(COUNT(*) AS float) AS "share" FROM "public"."t";
SELECT "source"."s" AS "s" FROM (SELECT SUBSTRING("public"."t"."s", 1, 1234) AS "s" FROM "public"."t") AS "source" GROUP BY "source"."s" LIMIT 10;
SELECT FLOOR(("public"."t"."b" / 5.0)) * 5.0 AS "bin", COUNT(*) AS "count" FROM "public"."t" GROUP BY FLOOR(("public"."t"."b" / 5.0)) * 5.0 ORDER BY 1 ASC;
SELECT "public"."t"."s" AS "s", COUNT(DISTINCT "public"."t"."a") AS "count" FROM "public"."t" WHERE ("public"."t"."d" >= timestamp '2024-01-01 00:00:00.000') AND ("public"."t"."d" < timestamp '2024-12-01 00:00:00.000') AND (LOWER("public"."t"."s") LIKE '%b%') GROUP BY "public"."t"."s"
