SELECT s AS s, sum(b) AS "SUM(b)" FROM public.t GROUP BY s ORDER BY "SUM(b)" DESC LIMIT 1000;
SELECT DATE_TRUNC('month', d) AS d, count(*) AS count FROM public.t WHERE d >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND d < TO_TIMESTAMP('2025-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('month', d) LIMIT 50000;
SELECT DATE_TRUNC('day', d) AS __timestamp, s AS s, AVG(b) AS "AVG(b)" FROM public.t GROUP BY DATE_TRUNC('day', d), s ORDER BY "AVG(b)" DESC LIMIT 10000;
SELECT DATE_TRUNC('year', d) AS __timestamp, t.s AS s, sum(b) AS "SUM(b)" FROM public.t JOIN (SELECT s AS s__, sum(b) AS mme_inner__ FROM public.t GROUP BY s ORDER BY mme_inner__ DESC LIMIT 3) AS anon_1 ON t.s = anon_1.s__ GROUP BY DATE_TRUNC('year', d), t.s;
SELECT s AS s, COUNT(DISTINCT f) AS "COUNT_DISTINCT(f)" FROM (SELECT s, f, b FROM t WHERE a > 0) AS virtual_table GROUP BY s LIMIT 100;
SELECT DISTINCT s FROM public.t LIMIT 1000;
SELECT CASE WHEN s IS NULL THEN 'N/A' ELSE s END AS label, MAX(b) AS "MAX(b)" FROM public.t WHERE ((f IS TRUE)) GROUP BY CASE WHEN s IS NULL THEN 'N/A' ELSE s END HAVING ((MAX(b) > 0)) LIMIT 100;
SELECT count(*) AS rowcount FROM (SELECT s AS s, sum(b) AS m FROM public.t GROUP BY s) AS rowcount_qry;
SELECT s AS s, sum(b)/count(*) AS ratio FROM public.t WHERE s NOT IN ('x') GROUP BY s ORDER BY ratio DESC LIMIT 10;
SELECT s AS s, count(*) AS count FROM public.t WHERE d >= TO_DATE('2024-02-01', 'YYYY-MM-DD') AND d < to_timestamp('2024-12-31T12:00:00.5', 'YYYY-MM-DD"T"HH24:MI:SS.MS') GROUP BY s
