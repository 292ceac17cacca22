-- connecting
SELECT current_schema(), session_user;
SELECT version();
SHOW search_path;
SELECT db.datallowconn FROM pg_catalog.pg_database db WHERE datname=current_database();

-- databases
SELECT db.oid,db.* FROM pg_catalog.pg_database db WHERE NOT datistemplate AND datallowconn ORDER BY db.datname;

-- schemas
SELECT n.oid,n.*,d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=n.oid AND d.objsubid=0 AND d.classoid='pg_namespace'::regclass ORDER BY nspname;

-- types
SELECT t.oid,t.*,c.relkind,format_type(nullif(t.typbasetype, 0), t.typtypmod) as base_type_name, d.description FROM pg_catalog.pg_type t LEFT OUTER JOIN pg_catalog.pg_type et ON et.oid=t.typelem LEFT OUTER JOIN pg_catalog.pg_class c ON c.oid=t.typrelid LEFT OUTER JOIN pg_catalog.pg_description d ON t.oid=d.objoid WHERE t.typname IS NOT NULL AND (c.relkind IS NULL OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C') ORDER BY t.oid;

-- tables
SELECT c.oid,c.relname,c.relkind,d.description,pg_get_expr(c.relpartbound, c.oid) as partition_expr, pg_get_partkeydef(c.oid) as partition_key FROM pg_catalog.pg_class c LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_class'::regclass WHERE c.relnamespace='public'::regnamespace AND c.relkind not in ('i','I','c') ORDER BY c.relname;

-- columns
SELECT c.relname,a.attname,a.attnum,pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value,dsc.description,dep.objid FROM pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON (a.attrelid=c.oid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid=ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid=dsc.objoid AND a.attnum = dsc.objsubid) LEFT OUTER JOIN pg_depend dep on dep.refobjid = a.attrelid AND dep.deptype = 'i' and dep.refobjsubid = a.attnum and dep.classid = dep.refclassid WHERE NOT a.attisdropped AND c.relkind not in ('i','I','c') AND c.oid='public.orders'::regclass AND a.attnum > 0 ORDER BY a.attnum;

-- keys
SELECT c.conname, c.contype, c.conkey, t.relname as tabrelname, pg_get_constraintdef(c.oid) FROM pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid=c.conrelid WHERE c.conrelid='public.orders'::regclass AND c.contype = 'p' ORDER BY c.oid;

-- indexes
SELECT i.indnatts,i.indisunique,i.indisprimary,i.indkey,c.relname,am.amname,tc.relname as tabrelname,dsc.description,pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred_expr,pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) as expr FROM pg_catalog.pg_index i INNER JOIN pg_catalog.pg_class c ON c.oid=i.indexrelid INNER JOIN pg_catalog.pg_class tc ON tc.oid=i.indrelid INNER JOIN pg_catalog.pg_am am ON am.oid=c.relam LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid WHERE i.indrelid='public.orders'::regclass ORDER BY tabrelname, c.relname;

-- settings
select name, setting from pg_catalog.pg_settings where name='DateStyle';
