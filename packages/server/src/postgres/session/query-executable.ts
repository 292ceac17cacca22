import type { PreparedSql, SqlRunOptions, SqlSession } from '@hedron/platform'
import { type SessionStatement, typeByName } from '@hedron/sql'
import { type Executable, wireColumn } from './executable.ts'
import { readAhead } from './read-ahead.ts'
import { streamedRows } from './row-source.ts'
import { callerOf, type Session } from './session.ts'

type Text = Extract<SessionStatement, { readonly kind: 'select' | 'explain' }>

/** A statement over the model's data. */
export async function queryExecutable(
  session: Session,
  { text }: Pick<Text, 'text'>,
  declared: readonly number[],
): Promise<Executable> {
  const prepared = await session.access.statements.prepare(callerOf(session), text, sqlSession(session, declared))
  return toExecutable(session, prepared, declared, count => `SELECT ${count}`)
}

/** How a statement is answered, in words; with ANALYZE also how long it takes. */
export async function explainExecutable(
  session: Session,
  { text }: Text,
  declared: readonly number[],
): Promise<Executable> {
  const prepared = await session.access.statements.prepare(callerOf(session), text, sqlSession(session, declared))
  return toExecutable(session, prepared, declared, () => 'EXPLAIN')
}

function toExecutable(
  session: Session,
  prepared: PreparedSql,
  declared: readonly number[],
  tag: (count: number) => string,
): Executable {
  const { parameters } = prepared
  const count = Math.max(parameters.length, declared.length)
  return {
    columns: prepared.columns.map(({ name, type }) => wireColumn(name, type)),
    // What the client declared is how it sends its values.
    parameters: Array.from({ length: count }, (_, index) => declared[index] || oidOf(parameters[index] ?? 'text')),
    async run(values, signal) {
      const options: SqlRunOptions = {
        signal,
        requestId: session.nextRequestId(),
        cache: cacheOf(session),
        waitMs: Number.POSITIVE_INFINITY,
      }
      const { rows } = await prepared.run(values.slice(0, parameters.length), options)
      return { rows: streamedRows(readAhead(rows)), tag }
    },
  }
}

const oidOf = (type: string): number => typeByName(type)?.oid ?? wireColumn('', type).typeOid

function sqlSession(
  { access, settings, identity, user, switchedUser }: Session,
  declared: readonly number[],
): SqlSession {
  const version = `PostgreSQL ${settings.get('server_version') ?? ''} (Hedron)`
  const constants = new Map([
    ['current_user', switchedUser ?? user],
    ['session_user', user],
    ['user', switchedUser ?? user],
    ['current_role', switchedUser ?? user],
    ['current_database', identity.database],
    ['current_catalog', identity.database],
    ['current_schema', 'public'],
    ['version', version],
  ])
  // The deployment has a time zone of its own, unless the client chose one.
  const timezone = settings.isSet('timezone') ? (settings.get('timezone') ?? null) : null
  const moment = typeByName('timestamptz')?.oid
  const zonedParameters = new Set(declared.flatMap((oid, index) => (oid === moment ? [index + 1] : [])))
  if (!identity.maySwitchUser) return { timezone, constants, zonedParameters }
  return { timezone, constants, zonedParameters, switchUser: async name => access.switchUser(identity.caller, name) }
}

const modes = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const

const cacheOf = ({ settings }: Session): SqlRunOptions['cache'] =>
  modes.find(mode => mode === settings.get('cube_cache')) ?? 'stale-if-slow'
