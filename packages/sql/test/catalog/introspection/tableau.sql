-- connecting
SELECT current_schema();
SET DateStyle = 'ISO';
SET extra_float_digits = 2;
show transaction_isolation;
BEGIN;
SELECT 1;
COMMIT;

-- tables
select NULL, nspname, relname, relkind, NULL from pg_catalog.pg_class c, pg_catalog.pg_namespace n where relkind in ('r', 'v', 'm', 'f', 'p') and nspname !~ '^pg_|information_schema' and n.oid = relnamespace order by nspname, relname;

-- foreign keys
SELECT conname as conname, n.nspname AS schema FROM pg_catalog.pg_constraint con JOIN pg_catalog.pg_namespace n ON n.oid = con.connamespace WHERE contype = 'f';

-- capabilities
SELECT CAST('2020-01-01' AS DATE) AS x, CAST(1 AS BIGINT) AS y, CAST('t' AS BOOLEAN) AS z;
