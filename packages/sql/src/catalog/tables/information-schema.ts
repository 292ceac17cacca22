import { typeByName, writeType } from '../values/types.ts'
import { keyName, type ModelRelation } from './model-relations.ts'
import type { NamedRow } from './named-rows.ts'

/** Precisions as the standard's views give them, by type: bits or digits, radix, scale; and of moments. */
const numberFacts: Readonly<Record<string, readonly [number, number, number | null]>> = {
  int2: [16, 2, 0],
  int4: [32, 2, 0],
  int8: [64, 2, 0],
  float4: [24, 2, null],
  float8: [53, 2, null],
}
const momentTypes = new Set(['timestamp', 'timestamptz', 'time'])

/** Rows of the views of `information_schema` that say something of the model (ISO/IEC 9075-11), each made when it is asked for. */
export function informationSchemaRows(
  relations: readonly ModelRelation[],
  { database, user }: { readonly database: string; readonly user: string },
): ReadonlyMap<string, () => readonly NamedRow[]> {
  const place = { table_catalog: database, table_schema: 'public' }
  const keyed = relations.filter(({ key }) => key !== null)
  const constraint = (relation: ModelRelation) => ({
    constraint_catalog: database,
    constraint_schema: 'public',
    constraint_name: keyName(relation),
  })
  const keyColumns = (relation: ModelRelation) =>
    (relation.key?.columns ?? []).map((at, index) => ({ name: relation.columns[at - 1]?.name ?? '', index: index + 1 }))
  return new Map<string, () => readonly NamedRow[]>([
    ['information_schema_catalog_name', () => [{ catalog_name: database }]],
    [
      'schemata',
      () =>
        ['public', 'pg_catalog', 'information_schema', 'pg_toast'].map(name => ({
          catalog_name: database,
          schema_name: name,
          schema_owner: name === 'public' ? user : 'hedron',
        })),
    ],
    [
      'tables',
      () =>
        relations.map(({ name }) => ({
          ...place,
          table_name: name,
          table_type: 'BASE TABLE',
          is_insertable_into: 'NO',
          is_typed: 'NO',
        })),
    ],
    ['columns', () => relations.flatMap(relation => columnRows(relation, database))],
    [
      'table_constraints',
      () =>
        keyed.map(relation => ({
          ...constraint(relation),
          ...place,
          table_name: relation.name,
          constraint_type: 'PRIMARY KEY',
          is_deferrable: 'NO',
          initially_deferred: 'NO',
          enforced: 'YES',
        })),
    ],
    [
      'key_column_usage',
      () =>
        keyed.flatMap(relation =>
          keyColumns(relation).map(({ name, index }) => ({
            ...constraint(relation),
            ...place,
            table_name: relation.name,
            column_name: name,
            ordinal_position: index,
          })),
        ),
    ],
    [
      'constraint_column_usage',
      () =>
        keyed.flatMap(relation =>
          keyColumns(relation).map(({ name }) => ({
            ...constraint(relation),
            ...place,
            table_name: relation.name,
            column_name: name,
          })),
        ),
    ],
    [
      'constraint_table_usage',
      () => keyed.map(relation => ({ ...constraint(relation), ...place, table_name: relation.name })),
    ],
    ...['table_privileges', 'role_table_grants'].map((view): [string, () => readonly NamedRow[]] => [
      view,
      () =>
        relations.map(({ name }) => ({
          grantor: user,
          grantee: user,
          ...place,
          table_name: name,
          privilege_type: 'SELECT',
          is_grantable: 'NO',
          with_hierarchy: 'NO',
        })),
    ]),
    ['enabled_roles', () => [{ role_name: user }]],
    ['applicable_roles', () => []],
    [
      'character_sets',
      () => [
        {
          character_set_name: 'UTF8',
          character_repertoire: 'UCS',
          form_of_use: 'UTF8',
          default_collate_catalog: database,
          default_collate_schema: 'pg_catalog',
          default_collate_name: 'default',
        },
      ],
    ],
  ])
}

function columnRows({ name, columns }: ModelRelation, database: string): readonly NamedRow[] {
  return columns.map((column, index) => {
    const [precision = null, radix = null, scale = null] = numberFacts[column.type] ?? []
    const type = typeByName(column.type)
    return {
      table_catalog: database,
      table_schema: 'public',
      table_name: name,
      column_name: column.name,
      ordinal_position: index + 1,
      is_nullable: column.isPrimaryKey ? 'NO' : 'YES',
      data_type: writeType(type?.oid ?? 25, null),
      character_octet_length: column.type === 'text' ? 1_073_741_824 : null,
      numeric_precision: precision,
      numeric_precision_radix: column.type === 'numeric' ? 10 : radix,
      numeric_scale: scale,
      datetime_precision: column.type === 'date' ? 0 : momentTypes.has(column.type) ? 6 : null,
      udt_catalog: database,
      udt_schema: 'pg_catalog',
      udt_name: column.type,
      dtd_identifier: String(index + 1),
      is_self_referencing: 'NO',
      is_identity: 'NO',
      identity_cycle: 'NO',
      is_generated: 'NEVER',
      is_updatable: 'NO',
    }
  })
}
