import { type CatalogModel, isCatalogStatement, type SessionStatement, typeByName, typeByOid } from '@hedron/sql'
import { type Executable, wireColumn } from './executable.ts'
import { knownRows } from './row-source.ts'
import { callerOf, type Session } from './session.ts'

type Select = Extract<SessionStatement, { readonly kind: 'select' }>

/** A statement over `pg_catalog`, `information_schema` or nothing; null where it reads the model's data. */
export function catalogExecutable(
  session: Session,
  model: CatalogModel,
  { tree, text }: Select,
  declared: readonly number[],
): Executable | null {
  const tables = new Set(model.relations.map(({ name }) => name))
  if (!isCatalogStatement(tree, name => tables.has(name))) return null
  const { settings, access } = session
  const statement = access.catalogs.understand({
    model,
    tree,
    text,
    parameterTypes: declared.map(oid => typeByOid(oid)?.name),
    session: {
      user: session.user,
      database: session.identity.database,
      version: `PostgreSQL ${settings.get('server_version')} (Hedron) on x86_64-pc-linux-gnu, compiled by Node.js, 64-bit`,
      processId: session.processId,
      now: session.startedAt.getTime(),
      setting: settings.get,
      // Outside of a transaction the statement is one, and over with it is what it set locally.
      changeSetting: (name, value, isLocal) =>
        isLocal && session.status === 'I' ? value : settings.set(name, value, isLocal),
    },
    settings: settings.all,
    settingValues: settings.snapshot,
    deploymentId: callerOf(session).deploymentId,
  })
  return {
    columns: statement.columns.map(({ name, type }) => wireColumn(name, type)),
    parameters: statement.parameters.map(type => typeByName(type)?.oid ?? 25),
    async run(values, signal) {
      const rows = await statement.run(values, signal)
      return { rows: knownRows(rows), tag: count => `SELECT ${count}` }
    },
  }
}
