-- version
SELECT current_setting('server_version_num')::int/100;

-- tables
SELECT CASE WHEN table_schema = ANY(ARRAY['public']) THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
FROM information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema','pg_catalog','_timescaledb_cache','_timescaledb_catalog','_timescaledb_internal','_timescaledb_config','timescaledb_information','timescaledb_experimental') ORDER BY CASE WHEN quote_ident(table_schema) = 'public' THEN 0 ELSE 1 END, 1;

-- columns
SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns WHERE quote_ident(table_name) = 'orders' ORDER BY 1;

-- search path
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'timescaledb_information';
