import {
  type CatalogModel,
  createCatalogView,
  isCatalogStatement,
  type SessionStatement,
  typeByName,
  typeByOid,
  understandCatalogStatement,
} from '@hedron/sql'
import { type Executable, wireColumn } from './executable.ts'
import { knownRows } from './row-source.ts'
import type { Session } from './session.ts'

/** How long the catalogs may keep one statement busy, in milliseconds: meanwhile nobody else is served. */
const busyMs = 800

type Select = Extract<SessionStatement, { readonly text: string }>

/** A statement over `pg_catalog`, `information_schema` or nothing; null where it reads the model's data. */
export function catalogExecutable(
  session: Session,
  model: CatalogModel,
  { tree }: Select,
  declared: readonly number[],
): Executable | null {
  const tables = new Set(model.relations.map(({ name }) => name))
  if (!isCatalogStatement(tree, name => tables.has(name))) return null
  const { settings } = session
  const view = createCatalogView(
    model,
    {
      user: session.user,
      database: session.identity.database,
      version: `PostgreSQL ${settings.get('server_version')} (Hedron) on x86_64-pc-linux-gnu, compiled by Node.js, 64-bit`,
      processId: session.processId,
      now: session.startedAt.getTime(),
      setting: settings.get,
      changeSetting: settings.set,
    },
    settings.all,
  )
  const statement = understandCatalogStatement(
    view,
    tree,
    declared.map(oid => typeByOid(oid)?.name),
  )
  return {
    columns: statement.columns.map(({ name, type }) => wireColumn(name, type)),
    parameters: statement.parameters.map(type => typeByName(type)?.oid ?? 25),
    async run(values, signal) {
      const until = performance.now() + busyMs
      const rows = statement.run(values, () => signal.aborted || performance.now() > until)
      return { rows: knownRows(rows), tag: count => `SELECT ${count}` }
    },
  }
}
