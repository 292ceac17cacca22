import type { SessionStatement } from '@hedron/sql'
import { writeNotice } from '../protocol/backend-messages.ts'
import { PgError } from '../protocol/pg-error.ts'
import { createCursor, noCursor } from './cursor.ts'
import { doing, type Executable, wireColumn } from './executable.ts'
import { knownRows } from './row-source.ts'
import type { Session } from './session.ts'

type Command = Exclude<SessionStatement, { readonly kind: 'select' | 'explain' | 'prepare' | 'execute' }>

/** What a session is asked to do with itself. @param select makes the statement of a cursor ready. */
export function commandExecutable(
  session: Session,
  command: Command,
  select: (statement: Extract<SessionStatement, { kind: 'select' }>) => Promise<Executable>,
): Executable {
  const { settings, writer } = session
  const warn = (code: string, message: string) => writeNotice(writer, 'WARNING', code, message)
  switch (command.kind) {
    case 'set':
      return doing('SET', () => {
        if (command.local && session.status === 'I')
          return warn('25P01', 'SET LOCAL can only be used in transaction blocks')
        settings.set(command.name, command.value, command.local)
      })
    case 'setUser':
      return doing('SET', () => switchUser(session, command.user))
    case 'resetAll':
      return doing('RESET', () => settings.resetAll())
    case 'show':
      return show(session, command.name)
    case 'begin':
      return doing('BEGIN', () => {
        if (session.status === 'T') warn('25001', 'there is already a transaction in progress')
        else settings.startTransaction()
        session.status = 'T'
      })
    case 'commit':
    case 'rollback': {
      const failed = session.status === 'E'
      return doing(command.kind === 'rollback' || failed ? 'ROLLBACK' : 'COMMIT', async () => {
        if (session.status === 'I') warn('25P01', 'there is no transaction in progress')
        settings.endTransaction(command.kind === 'commit' && !failed)
        if (command.chain) settings.startTransaction()
        await session.endTransaction(command.chain ? 'T' : 'I')
      })
    }
    case 'savepoint':
      return doing('SAVEPOINT', () => inTransaction(session, 'SAVEPOINT'))
    case 'release':
      return doing('RELEASE', () => inTransaction(session, 'RELEASE SAVEPOINT'))
    case 'rollbackTo':
      return doing('ROLLBACK', () => {
        inTransaction(session, 'ROLLBACK TO SAVEPOINT')
        session.status = 'T'
      })
    case 'discard':
      return doing('DISCARD ALL', async () => {
        settings.resetAll()
        session.switchedUser = null
        session.prepared.clear()
        await closeCursors(session)
      })
    case 'deallocate':
      return doing(command.name === null ? 'DEALLOCATE ALL' : 'DEALLOCATE', () => {
        if (command.name === null) session.prepared.clear()
        else if (!session.prepared.delete(command.name)) {
          throw new PgError('26000', `prepared statement "${command.name}" does not exist`)
        }
      })
    case 'declare':
      return declareCursor(session, command, select)
    case 'fetch':
    case 'move':
      return fetchFrom(session, command.name, command.count, command.kind)
    case 'close':
      return doing(command.name === null ? 'CLOSE CURSOR ALL' : 'CLOSE CURSOR', async () => {
        if (command.name === null) return closeCursors(session)
        const cursor = session.cursors.get(command.name)
        if (!cursor) throw noCursor(command.name)
        session.cursors.delete(command.name)
        await cursor.close()
      })
    case 'nothing':
      return doing(command.tag, () => {})
  }
}

/** Who may speak for others (contract/behaviour/query.md section 7). */
function switchUser(session: Session, user: string | null): void {
  if (user !== null && user !== session.user && !session.identity.maySwitchUser) {
    throw new PgError('42501', `user "${session.user}" is not allowed to switch to "${user}"`, {
      hint: 'Only the CUBEJS_SQL_SUPER_USER of the deployment can speak for other users.',
    })
  }
  session.switchedUser = user === session.user ? null : user
}

function inTransaction({ status }: Session, what: string): void {
  if (status === 'I') throw new PgError('25P01', `${what} can only be used in transaction blocks`)
}

async function closeCursors({ cursors }: Session): Promise<void> {
  const all = [...cursors.values()]
  cursors.clear()
  await Promise.all(all.map(cursor => cursor.close()))
}

function show({ settings, identity, switchedUser, user }: Session, name: string): Executable {
  const rowsOf = (columns: readonly string[], rows: readonly (readonly string[])[]): Executable => ({
    columns: columns.map(column => wireColumn(column, 'text')),
    parameters: [],
    run: async () => ({ rows: knownRows(rows), tag: () => 'SHOW' }),
  })
  if (name === 'all') {
    const rows = settings.all().map(each => [each.name, each.value, each.description])
    return rowsOf(['name', 'setting', 'description'], rows)
  }
  if (name === 'user') return rowsOf(['user'], [[switchedUser ?? user]])
  if (name === 'database') return rowsOf(['database'], [[identity.database]])
  const value = settings.get(name)
  if (value === undefined) throw new PgError('42704', `unrecognized configuration parameter "${name}"`)
  return rowsOf([settings.titleOf(name)], [[value]])
}

function declareCursor(
  session: Session,
  { name, hold, binary, text, tree }: Extract<Command, { kind: 'declare' }>,
  select: (statement: Extract<SessionStatement, { kind: 'select' }>) => Promise<Executable>,
): Executable {
  return doing('DECLARE CURSOR', async () => {
    if (!hold) inTransaction(session, 'DECLARE CURSOR')
    if (session.cursors.has(name)) throw new PgError('42P03', `cursor "${name}" already exists`)
    if (session.cursors.size >= 100) throw new PgError('54000', 'a session can keep at most 100 cursors open')
    const executable = await select({ kind: 'select', text, tree })
    // It lives longer than the statement that declares it: closing it is what stops it.
    const stopped = new AbortController()
    const outcome = await executable.run([], stopped.signal)
    if (!outcome.rows || !executable.columns) throw new PgError('42601', 'a cursor is declared for rows')
    session.cursors.set(
      name,
      createCursor(executable.columns, outcome.rows, { hold, binary }, () => stopped.abort()),
    )
  })
}

function fetchFrom({ cursors }: Session, name: string, count: number | null, kind: 'fetch' | 'move'): Executable {
  const cursor = cursors.get(name)
  if (!cursor) throw noCursor(name)
  if (kind === 'fetch') {
    return {
      columns: cursor.columns,
      parameters: [],
      run: async () => ({ rows: cursor.fetch(count), tag: fetched => `FETCH ${fetched}` }),
    }
  }
  return {
    columns: null,
    parameters: [],
    run: async () => {
      const rows = cursor.fetch(count)
      let moved = 0
      for (let done = false; !done; ) {
        const portion = await rows.read(1000)
        moved += portion.rows.length
        done = portion.done
      }
      return { rows: null, tag: `MOVE ${moved}` }
    },
  }
}
