import { typeByName } from '../values/types.ts'
import type { CatalogRelation } from './describe-relation.ts'
import type { NamedRow } from './named-rows.ts'
import { oidOf, oids } from './oids.ts'

/** A relation of the model with the oids that it is known by. */
export interface ModelRelation extends CatalogRelation {
  readonly oid: number
  /** Of its primary key; null where it has none that the caller sees. */
  readonly key: {
    readonly indexOid: number
    readonly constraintOid: number
    readonly columns: readonly number[]
  } | null
}

export function giveOids(relations: readonly CatalogRelation[]): readonly ModelRelation[] {
  const taken = new Set<number>()
  return relations
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(relation => {
      const oid = oidOf(relation.name, taken)
      const columns = relation.columns.flatMap((column, index) => (column.isPrimaryKey ? [index + 1] : []))
      if (columns.length === 0) return { ...relation, oid, key: null }
      const indexOid = oidOf(`${relation.name} index`, taken)
      return { ...relation, oid, key: { indexOid, constraintOid: oidOf(`${relation.name} key`, taken), columns } }
    })
}

/** As PostgreSQL names the key of a table. */
export const keyName = ({ name }: CatalogRelation): string => `${name}_pkey`.slice(-63)

/** Rows of `pg_class`. */
export function classRows(relations: readonly ModelRelation[]): readonly NamedRow[] {
  return relations.flatMap(relation => {
    const table = classRow(relation.oid, relation.name, oids.public, 'r', relation.columns.length)
    if (!relation.key) return [table]
    const index = classRow(relation.key.indexOid, keyName(relation), oids.public, 'i', relation.key.columns.length)
    return [{ ...table, relhasindex: true }, index]
  })
}

export function classRow(oid: number, name: string, schema: number, kind: string, columns: number): NamedRow {
  return {
    oid,
    relname: name,
    relnamespace: schema,
    reltype: 0,
    reloftype: 0,
    relowner: schema === oids.public ? oids.user : oids.superuser,
    relam: kind === 'i' ? oids.btree : kind === 'r' ? oids.heap : 0,
    relfilenode: 0,
    reltablespace: 0,
    relpages: 0,
    reltuples: -1,
    relallvisible: 0,
    reltoastrelid: 0,
    relhasindex: false,
    relisshared: false,
    relpersistence: 'p',
    relkind: kind,
    relnatts: columns,
    relchecks: 0,
    relhasrules: false,
    relhastriggers: false,
    relhassubclass: false,
    relrowsecurity: false,
    relforcerowsecurity: false,
    relispopulated: true,
    relreplident: kind === 'r' ? 'd' : 'n',
    relispartition: false,
    relrewrite: 0,
    relfrozenxid: 0,
    relminmxid: 0,
  }
}

/** Rows of `pg_attribute`. */
export function attributeRows(relations: readonly ModelRelation[]): readonly NamedRow[] {
  return relations.flatMap(({ oid, columns, key }) => {
    const rows = columns.map((column, index) =>
      attributeRow(oid, index + 1, column.name, column.type, column.isPrimaryKey),
    )
    const keyRows = (key?.columns ?? []).flatMap((place, index) => {
      const column = columns[place - 1]
      return key && column ? [attributeRow(key.indexOid, index + 1, column.name, column.type, false)] : []
    })
    return [...rows, ...keyRows]
  })
}

const collatable = new Set(['text', 'varchar', 'bpchar'])

export function attributeRow(
  relation: number,
  place: number,
  name: string,
  typeName: string,
  notNull: boolean,
): NamedRow {
  const type = typeByName(typeName)
  return {
    attrelid: relation,
    attname: name,
    atttypid: type?.oid ?? 25,
    attstattarget: -1,
    attlen: type?.length ?? -1,
    attnum: place,
    attndims: typeName.startsWith('_') ? 1 : 0,
    attcacheoff: -1,
    atttypmod: -1,
    attbyval: (type?.length ?? -1) > 0 && (type?.length ?? -1) <= 8,
    attalign: 'i',
    attstorage: (type?.length ?? -1) > 0 ? 'p' : 'x',
    attcompression: '',
    attnotnull: notNull,
    atthasdef: false,
    atthasmissing: false,
    attidentity: '',
    attgenerated: '',
    attisdropped: false,
    attislocal: true,
    attinhcount: 0,
    attcollation: collatable.has(typeName) ? 100 : typeName === 'name' ? 950 : 0,
  }
}

/** Rows of `pg_index`. */
export function indexRows(relations: readonly ModelRelation[]): readonly NamedRow[] {
  return relations.flatMap(({ oid, key }) =>
    key === null
      ? []
      : [
          {
            indexrelid: key.indexOid,
            indrelid: oid,
            indnatts: key.columns.length,
            indnkeyatts: key.columns.length,
            indisunique: true,
            indnullsnotdistinct: false,
            indisprimary: true,
            indisexclusion: false,
            indimmediate: true,
            indisclustered: false,
            indisvalid: true,
            indcheckxmin: false,
            indisready: true,
            indislive: true,
            indisreplident: false,
            indkey: key.columns,
            indcollation: key.columns.map(() => 0),
            indclass: key.columns.map(() => 0),
            indoption: key.columns.map(() => 0),
          },
        ],
  )
}

/** Rows of `pg_constraint`. */
export function constraintRows(relations: readonly ModelRelation[]): readonly NamedRow[] {
  return relations.flatMap(relation =>
    relation.key === null
      ? []
      : [
          {
            oid: relation.key.constraintOid,
            conname: keyName(relation),
            connamespace: oids.public,
            contype: 'p',
            condeferrable: false,
            condeferred: false,
            convalidated: true,
            conrelid: relation.oid,
            contypid: 0,
            conindid: relation.key.indexOid,
            conparentid: 0,
            confrelid: 0,
            confupdtype: ' ',
            confdeltype: ' ',
            confmatchtype: ' ',
            conislocal: true,
            coninhcount: 0,
            connoinherit: true,
            conkey: relation.key.columns,
          },
        ],
  )
}

/** Rows of `pg_description`. */
export function descriptionRows(relations: readonly ModelRelation[]): readonly NamedRow[] {
  const classOfRelations = 1259
  const row = (objoid: number, objsubid: number, description: string) => ({
    objoid,
    classoid: classOfRelations,
    objsubid,
    description,
  })
  return relations.flatMap(({ oid, comment, columns }) => [
    ...(comment === null ? [] : [row(oid, 0, comment)]),
    ...columns.flatMap((column, index) => (column.comment === null ? [] : [row(oid, index + 1, column.comment)])),
  ])
}
