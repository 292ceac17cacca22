SELECT SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" HAVING (COUNT(1) > 0);
SELECT "t"."s" AS "s", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT "t"."s" AS "s" FROM "public"."t" "t" GROUP BY 1 ORDER BY 1 ASC;
SELECT "t"."f" AS "f", COUNT(DISTINCT "t"."s") AS "ctd:s:ok", AVG("t"."b") AS "avg:b:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT CAST(TRUNC(EXTRACT(YEAR FROM "t"."d")) AS INTEGER) AS "yr:d:ok", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT CAST(TRUNC(EXTRACT(YEAR FROM ("t"."d" + 10 * INTERVAL '1 MONTH'))) AS INTEGER) AS "yr:d:ok", COUNT("t"."id") AS "cnt:id:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT CAST(TRUNC(EXTRACT(QUARTER FROM "t"."d")) AS INTEGER) AS "qr:d:ok", CAST(TRUNC(EXTRACT(YEAR FROM "t"."d")) AS INTEGER) AS "yr:d:ok", SUM("t"."a") AS "sum:a:ok" FROM "public"."t" "t" GROUP BY 1, 2;
SELECT DATE_TRUNC( 'MONTH', CAST("t"."d" AS DATE) ) AS "tmn:d:ok", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT DATE_TRUNC( 'DAY', "t"."d" ) AS "tdy:d:ok", MIN("t"."b") AS "min:b:ok", MAX("t"."b") AS "max:b:ok" FROM "public"."t" "t" WHERE ("t"."s" IN ('abc', 'x')) GROUP BY 1;
SELECT "t"."s" AS "s", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" WHERE (("t"."d" >= (TIMESTAMP '2024-01-01 00:00:00.000')) AND ("t"."d" < (TIMESTAMP '2024-06-01 00:00:00.000'))) GROUP BY 1;
SELECT "t"."s" AS "s", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" WHERE ((CASE WHEN ("t"."s" IS NULL) THEN 'none' ELSE "t"."s" END) <> 'x') GROUP BY 1 HAVING ((SUM("t"."b") >= 0.49999999999999994) AND (SUM("t"."b") <= 100.0));
SELECT (CASE WHEN ("t"."a" > 0) THEN 'plus' ELSE 'minus' END) AS "Calculation_1", SUM(1) AS "sum:Number of Records:ok" FROM "public"."t" "t" GROUP BY 1;
SELECT "t"."s" AS "s", SUM("t"."b") AS "$__alias__0" FROM "public"."t" "t" GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 ASC LIMIT 3;
SELECT "t"."f" AS "f", SUM("t"."b") AS "sum:b:ok" FROM "public"."t" "t" INNER JOIN ( SELECT "t"."s" AS "s", SUM("t"."b") AS "$__alias__0" FROM "public"."t" "t" GROUP BY 1 ORDER BY 2 DESC, 1 ASC LIMIT 2 ) "t0" ON ("t"."s" = "t0"."s") GROUP BY 1;
SELECT MIN("t"."d") AS "TEMP(lower)", MAX("t"."d") AS "TEMP(upper)", COUNT(1) AS "TEMP(rows)" FROM "public"."t" "t" HAVING COUNT(1) > 0;
SELECT "t"."a" AS "a", "t"."b" AS "b", "t"."d" AS "d", "t"."f" AS "f", "t"."id" AS "id", "t"."s" AS "s" FROM "public"."t" "t" LIMIT 1000
