import { parse } from 'libpg-query'
import {
  type CatalogRelation,
  type CatalogView,
  createCatalogModel,
  createCatalogView,
  understandCatalogStatement,
} from '../../src/index.ts'

/** The tables that tests ask for, as SQL makes them in `oracle/`. */
export const relations: readonly CatalogRelation[] = [
  {
    name: 'orders',
    comment: 'All orders',
    columns: [
      { name: 'id', type: 'int8', comment: null, isPrimaryKey: true },
      { name: 'status', type: 'text', comment: 'State', isPrimaryKey: false },
      { name: 'amount', type: 'numeric', comment: null, isPrimaryKey: false },
      { name: 'created_at', type: 'timestamp', comment: null, isPrimaryKey: false },
    ],
  },
  {
    name: 'users',
    comment: null,
    columns: [
      { name: 'city', type: 'text', comment: null, isPrimaryKey: false },
      { name: 'count', type: 'int8', comment: null, isPrimaryKey: false },
    ],
  },
]

export function createView(settings: Readonly<Record<string, string>> = { server_version_num: '150000' }): CatalogView {
  return createCatalogView(
    createCatalogModel(relations),
    {
      user: 'cube',
      database: 'shop',
      version: 'PostgreSQL 15.0',
      processId: 7,
      now: Date.UTC(2024, 0, 1),
      setting: name => settings[name],
      changeSetting: (_, value) => value,
    },
    () => [{ name: 'DateStyle', value: 'ISO, MDY', initial: 'ISO, MDY', description: '' }],
  )
}

/** @returns columns and rows of one statement. */
export async function answer(text: string, values: readonly (string | null)[] = [], view = createView()) {
  const { stmts = [] } = await parse(text)
  const [first] = stmts
  if (!first?.stmt) throw new Error('no statement')
  const statement = understandCatalogStatement(view, first.stmt, [])
  return { columns: statement.columns, parameters: statement.parameters, rows: statement.run(values, () => false) }
}
