import { writeFile } from 'node:fs/promises'
import { Client } from 'pg'

/**
 * Reads the fixed part of PostgreSQL's catalogs from a real server, version 15, into `src/catalog/generated/`.
 *
 * node packages/sql/scripts/read-reference.ts postgres://postgres@127.0.0.1/postgres
 */
const client = new Client({ connectionString: process.argv[2] })
await client.connect()

/** Domains of `information_schema` are their base types on the wire. */
const baseTypes = `coalesce((select b.typname from pg_type b where b.oid = nullif(t.typbasetype, 0)), t.typname)`

const relations = await client.query<{ schema: string; name: string; oid: number; kind: string; columns: string }>(`
  select n.nspname as schema, c.relname as name, c.oid::int as oid, c.relkind as kind,
    string_agg(a.attname || ':' || ${baseTypes}, ' ' order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 join pg_type t on t.oid = a.atttypid
  where n.nspname in ('pg_catalog', 'information_schema') and c.relkind in ('r', 'v')
    and c.relname not in ('pg_authid', 'pg_shadow', 'pg_statistic', 'pg_stats', 'pg_stats_ext', 'pg_stats_ext_exprs', 'pg_statistic_ext_data',
      'pg_hba_file_rules', 'pg_ident_file_mappings', 'pg_file_settings', 'pg_user_mapping', 'pg_user_mappings', 'pg_largeobject',
      'pg_backend_memory_contexts', 'pg_shmem_allocations', 'pg_config', 'pg_subscription')
  group by 1, 2, 3, 4 order by 1 desc, 2`)
const relationLines = relations.rows.map(
  row => `  ${JSON.stringify([row.schema, row.name, row.oid, row.kind, row.columns])}`,
)
await writeFile(
  new URL('../src/catalog/generated/relations.json', import.meta.url),
  `[\n${relationLines.join(',\n')}\n]\n`,
)

const plain = `typtype in ('b', 'd', 'p', 'r', 'm') and typnamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  and not exists (select 1 from pg_type e where e.oid = typelem and e.typtype = 'c')`
const tables: Record<string, string> = {
  pg_type: `select oid::int, typname, typnamespace::int, typowner::int, typlen, typbyval, typtype, typcategory, typispreferred, typisdefined,
    typdelim, typrelid::int, typelem::int, typarray::int, typinput::oid::int, typoutput::oid::int, typreceive::oid::int, typsend::oid::int,
    typmodin::oid::int, typmodout::oid::int, typalign, typstorage, typnotnull, typbasetype::int, typtypmod, typndims, typcollation::int,
    typsubscript::oid::int, typanalyze::oid::int from pg_type where ${plain} order by oid`,
  pg_proc: `select oid::int, proname, pronamespace::int, proowner::int, prolang::int, procost, prorows, provariadic::int, prokind, prosecdef,
    proleakproof, proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults, prorettype::int, proargtypes::text, prosrc
    from pg_proc where oid in (select unnest(array[typinput::oid, typoutput::oid, typreceive::oid, typsend::oid, typmodin::oid, typmodout::oid, typsubscript::oid, typanalyze::oid]) from pg_type where ${plain}) order by oid`,
  pg_range: `select rngtypid::int, rngsubtype::int, rngmultitypid::int, rngcollation::int, rngsubopc::int, rngcanonical::oid::int, rngsubdiff::oid::int from pg_range order by 1`,
  pg_am: `select oid::int, amname, amhandler::oid::int, amtype from pg_am order by 1`,
  pg_language: `select oid::int, lanname, lanowner::int, lanispl, lanpltrusted, lanplcallfoid::int, laninline::int, lanvalidator::int from pg_language order by 1`,
  pg_collation: `select oid::int, collname, collnamespace::int, collowner::int, collprovider, collisdeterministic, collencoding, collcollate, collctype from pg_collation where oid < 1000 order by 1`,
  pg_tablespace: `select oid::int, spcname, spcowner::int from pg_tablespace order by 1`,
}
for (const [name, text] of Object.entries(tables)) {
  const { fields, rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
  const lines = [fields.map(field => field.name), ...rows].map(row => `  ${JSON.stringify(row)}`)
  await writeFile(new URL(`../src/catalog/generated/${name}.json`, import.meta.url), `[\n${lines.join(',\n')}\n]\n`)
}
await client.end()
