import { CatalogError } from '../catalog-error.ts'
import type { CatalogSession, CatalogView, KnownRelation, VirtualColumn, VirtualTable } from '../catalog-view.ts'
import { quoteIdentifier } from '../evaluate/identifiers.ts'
import relationList from '../generated/relations.json' with { type: 'json' }
import type { CatalogRelation } from './describe-relation.ts'
import { fixedRows, procedureNames, procedureOids } from './fixed-rows.ts'
import { informationSchemaRows } from './information-schema.ts'
import {
  attributeRow,
  attributeRows,
  classRow,
  classRows,
  constraintRows,
  descriptionRows,
  giveOids,
  indexRows,
  keyName,
  type ModelRelation,
} from './model-relations.ts'
import { inOrder, type NamedRow } from './named-rows.ts'
import { oids } from './oids.ts'
import { type SettingRow, serverRows } from './session-rows.ts'

/** A relation of the system as PostgreSQL 15 has it. */
interface SystemRelation extends KnownRelation {
  readonly kind: string
  readonly columns: readonly VirtualColumn[]
}

const systemRelations: readonly SystemRelation[] = relationList.map(([schema, name, oid, kind, columns]) => ({
  schema: String(schema),
  name: String(name),
  oid: Number(oid),
  kind: String(kind),
  columns: String(columns)
    .split(' ')
    .map(each => {
      const cut = each.lastIndexOf(':')
      return { name: each.slice(0, cut), type: each.slice(cut + 1) }
    }),
}))
const systemByName = new Map(systemRelations.map(relation => [`${relation.schema}.${relation.name}`, relation]))
const systemByOid = new Map(systemRelations.map(relation => [relation.oid, relation]))

/** Catalogs that hold secrets or the insides of a server. */
const forbidden = new Set([
  'pg_authid',
  'pg_shadow',
  'pg_hba_file_rules',
  'pg_file_settings',
  'pg_statistic',
  'pg_largeobject',
  'pg_user_mapping',
  'pg_user_mappings',
  'pg_subscription',
])

/** What the model has for a caller, ready for any session of his. */
export interface CatalogModel {
  /** Columns of all relations. */
  readonly width: number
  readonly relations: readonly ModelRelation[]
  readonly rows: ReadonlyMap<string, () => readonly NamedRow[]>
}

/** Prepares the relations that a caller sees; to be kept as long as he sees the same. */
export function createCatalogModel(visible: readonly CatalogRelation[]): CatalogModel {
  const relations = giveOids(visible)
  const systemClasses = () =>
    systemRelations.map(({ oid, name, schema, kind, columns }) =>
      classRow(oid, name, schema === 'pg_catalog' ? oids.pgCatalog : oids.informationSchema, kind, columns.length),
    )
  const systemAttributes = () =>
    systemRelations.flatMap(({ oid, columns }) =>
      columns.map(({ name, type }, index) => attributeRow(oid, index + 1, name, type, false)),
    )
  const made = new Map<string, () => readonly NamedRow[]>([
    ['pg_class', () => [...classRows(relations), ...systemClasses()]],
    ['pg_attribute', () => [...attributeRows(relations), ...systemAttributes()]],
    ['pg_index', () => indexRows(relations)],
    ['pg_constraint', () => constraintRows(relations)],
    ['pg_description', () => descriptionRows(relations)],
    [
      'pg_tables',
      () =>
        relations.map(({ name, key }) => ({
          schemaname: 'public',
          tablename: name,
          hasindexes: key !== null,
          hasrules: false,
          hastriggers: false,
          rowsecurity: false,
        })),
    ],
    [
      'pg_indexes',
      () =>
        relations.flatMap(relation =>
          relation.key
            ? [
                {
                  schemaname: 'public',
                  tablename: relation.name,
                  indexname: keyName(relation),
                  indexdef: indexDefinition(relation),
                },
              ]
            : [],
        ),
    ],
    [
      'pg_stat_user_tables',
      () => relations.map(({ oid, name }) => ({ relid: oid, schemaname: 'public', relname: name })),
    ],
    ...[...fixedRows].map(([name, rows]): [string, () => readonly NamedRow[]] => [name, () => rows]),
  ])
  return { relations, rows: made, width: relations.reduce((width, { columns }) => width + columns.length, 0) }
}

const tablesOfModels = new WeakMap<CatalogModel, Map<string, VirtualTable>>()

/** The catalogs of a model as one session sees them. */
export function createCatalogView(
  model: CatalogModel,
  session: CatalogSession,
  settings: () => readonly SettingRow[],
): CatalogView {
  const { relations } = model
  const shared = tablesOfModels.get(model) ?? new Map<string, VirtualTable>()
  tablesOfModels.set(model, shared)
  const own = new Map<string, VirtualTable>()
  const byName = new Map(relations.map(relation => [relation.name, relation]))
  const byOid = new Map<number, KnownRelation>()
  for (const relation of relations) {
    byOid.set(relation.oid, { oid: relation.oid, schema: 'public', name: relation.name })
    if (relation.key)
      byOid.set(relation.key.indexOid, { oid: relation.key.indexOid, schema: 'public', name: keyName(relation) })
  }
  let standard: ReturnType<typeof informationSchemaRows> | undefined

  return {
    session,
    schemas: new Map([
      ['pg_catalog', oids.pgCatalog],
      ['public', oids.public],
      ['information_schema', oids.informationSchema],
      ['pg_toast', oids.pgToast],
    ]),
    table(schema, name) {
      const system = systemByName.get(`${schema ?? 'pg_catalog'}.${name}`)
      if (!system) {
        if (forbidden.has(name)) throw new CatalogError('42501', `permission denied for table ${name}`)
        return undefined
      }
      const key = `${system.schema}.${system.name}`
      const known = shared.get(key) ?? own.get(key)
      if (known) return known
      const fromModel = system.schema === 'pg_catalog' ? model.rows.get(name) : undefined
      const table = toTable(
        system,
        fromModel ?? (() => sessionRows(system)),
        perColumn.has(name) ? model.width : relations.length,
      )
      ;(fromModel ? shared : own).set(key, table)
      return table
    },
    relationByOid: oid => byOid.get(oid) ?? systemByOid.get(oid),
    relationByName(schema, name) {
      const relation = schema === null || schema === 'public' ? byName.get(name) : undefined
      if (relation) return { oid: relation.oid, schema: 'public', name }
      return systemByName.get(`${schema ?? 'pg_catalog'}.${name}`)
    },
    procedureByOid: oid => procedureNames.get(oid),
    procedureByName: name => procedureOids.get(name),
    comment(oid, column) {
      const relation = relations.find(each => each.oid === oid)
      return (column === 0 ? relation?.comment : relation?.columns[column - 1]?.comment) ?? null
    },
    constraintText(oid) {
      const relation = relations.find(({ key }) => key?.constraintOid === oid)
      return relation ? `PRIMARY KEY (${keyList(relation)})` : null
    },
    indexText(oid, column) {
      const relation = relations.find(({ key }) => key?.indexOid === oid)
      if (!relation) return null
      if (column === 0) return indexDefinition(relation)
      const place = relation.key?.columns[column - 1]
      return place === undefined ? '' : quoteIdentifier(relation.columns[place - 1]?.name ?? '')
    },
  }

  function sessionRows({ schema, name }: SystemRelation): readonly NamedRow[] {
    if (schema === 'pg_catalog') return serverRows[name]?.(session, settings()) ?? []
    standard ??= informationSchemaRows(relations, session)
    return standard.get(name)?.() ?? []
  }
}

/** Tables with rows for the columns of relations. */
const perColumn: ReadonlySet<string> = new Set(['pg_attribute', 'pg_description', 'columns'])

/** @param count about as many rows as there will be. */
function toTable(relation: SystemRelation, rows: () => readonly NamedRow[], count: number): VirtualTable {
  let made: VirtualTable['rows'] extends () => infer Rows ? Rows | undefined : never
  return {
    ...relation,
    rows: spend => {
      if (!made) spend?.(count * relation.columns.length)
      made ??= inOrder(relation.columns, rows())
      return made
    },
  }
}

const keyList = ({ key, columns }: ModelRelation): string =>
  (key?.columns ?? []).map(place => quoteIdentifier(columns[place - 1]?.name ?? '')).join(', ')

const indexDefinition = (relation: ModelRelation): string =>
  `CREATE UNIQUE INDEX ${quoteIdentifier(keyName(relation))} ON public.${quoteIdentifier(relation.name)} USING btree (${keyList(relation)})`
