import { readCommands } from '@hedron/sql'
import {
  type Format,
  writeComplete,
  writeEmpty,
  writeParameterDescription,
  writeRowDescription,
} from '../protocol/backend-messages.ts'
import type { BodyReader } from '../protocol/body-reader.ts'
import { PgError, protocolViolation } from '../protocol/pg-error.ts'
import { decodeParameter } from '../values/decode-parameter.ts'
import type { Executable } from './executable.ts'
import { makeExecutable } from './make-executable.ts'
import type { Prepared } from './prepared.ts'
import type { RowSource } from './row-source.ts'
import { sendRows } from './send-rows.ts'
import { keepPrepared, type Session } from './session.ts'
import { checkTransaction } from './simple-query.ts'

/** A prepared statement with its values; its rows are taken in portions. */
interface Portal {
  readonly prepared: Prepared
  readonly executable: Executable
  readonly values: readonly (string | null)[]
  readonly formats: readonly Format[]
  /** Stops what it runs. */
  readonly stop: AbortController
  /** Undefined before it was executed; null where it gives no rows or has given all. */
  rows: RowSource | null | undefined
  tag: (count: number) => string
}

const mostPortals = 1000
/** Characters of the values of all portals of a session. */
const mostValues = 64 * 1024 * 1024

const sizeOf = (values: readonly (string | null)[]): number =>
  values.reduce((size, value) => size + 16 + (value?.length ?? 0), 0)

/** Parse, Bind, Describe, Execute and Close (PostgreSQL documentation, "Extended Query"). */
export function createExtendedQuery(session: Session, flush: () => Promise<void>) {
  const { writer } = session
  const portals = new Map<string, Portal>()

  return {
    async parse(reader: BodyReader): Promise<void> {
      const [name, text] = [reader.text(), reader.text()]
      const declared = Array.from({ length: countOf(reader.int16()) }, () => reader.int32() >>> 0)
      reader.end()
      const statements = await readCommands(text)
      if (statements.length > 1) throw new PgError('42601', 'cannot insert multiple commands into a prepared statement')
      const [statement = null] = statements
      checkTransaction(session, statement)
      if (name === '') session.prepared.delete('')
      keepPrepared(session, name, {
        statement,
        declared,
        size: text.length,
        executable: await makeReady(statement, declared),
      })
      writeEmpty(writer, '1')
    },

    async bind(reader: BodyReader): Promise<void> {
      const [portalName, name] = [reader.text(), reader.text()]
      const prepared = findPrepared(name)
      const given = readFormats(reader)
      const { parameters } = prepared.executable
      const values = Array.from({ length: countOf(reader.int16()) }, (_, index) => {
        const length = reader.int32()
        if (length < -1) throw protocolViolation('invalid message format')
        const format = (given.length === 1 ? given[0] : given[index]) ?? 0
        return length === -1 ? null : decodeParameter(parameters[index] ?? 25, format, reader.bytes(length))
      })
      const formats = readFormats(reader)
      reader.end()
      checkTransaction(session, prepared.statement)
      if (values.length !== parameters.length) {
        throw new PgError(
          '08P01',
          `bind message supplies ${values.length} parameters, but prepared statement "${name}" requires ${parameters.length}`,
        )
      }
      const columns = prepared.executable.columns?.length ?? 0
      if (formats.length > 1 && formats.length !== columns) {
        throw new PgError('08P01', `bind message has ${formats.length} result formats but query has ${columns} columns`)
      }
      await closePortal(portalName, portalName !== '')
      if (portals.size >= mostPortals) throw new PgError('54000', `a session can keep at most ${mostPortals} portals`)
      let size = sizeOf(values)
      for (const portal of portals.values()) size += sizeOf(portal.values)
      if (size > mostValues) throw new PgError('54000', 'the portals of a session hold too large values')
      const executable = await current(prepared)
      portals.set(portalName, {
        prepared,
        executable,
        values,
        formats,
        stop: new AbortController(),
        rows: undefined,
        tag: String,
      })
      writeEmpty(writer, '2')
    },

    async describe(reader: BodyReader): Promise<void> {
      const [kind, name] = [reader.byte(), reader.text()]
      reader.end()
      if (kind === 'S') {
        const { executable } = findPrepared(name)
        writeParameterDescription(writer, executable.parameters)
        return describeRows(executable, [])
      }
      if (kind !== 'P') throw protocolViolation(`invalid DESCRIBE message subtype ${kind.charCodeAt(0)}`)
      const { executable, formats } = findPortal(name)
      describeRows(executable, formats)
    },

    async execute(reader: BodyReader, signal: AbortSignal): Promise<void> {
      const [name, most] = [reader.text(), reader.int32()]
      reader.end()
      const portal = findPortal(name)
      if (portal.prepared.statement === null) {
        writeEmpty(writer, 'I')
        return
      }
      checkTransaction(session, portal.prepared.statement)
      const stop = () => portal.stop.abort()
      signal.addEventListener('abort', stop, { once: true })
      try {
        await advance(portal, Math.max(0, most))
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },

    async close(reader: BodyReader): Promise<void> {
      const [kind, name] = [reader.byte(), reader.text()]
      reader.end()
      if (kind === 'S') session.prepared.delete(name)
      else if (kind === 'P') await closePortal(name, false)
      else throw protocolViolation(`invalid CLOSE message subtype ${kind.charCodeAt(0)}`)
      writeEmpty(writer, '3')
    },

    /** A simple query ends the unnamed statement and portal. */
    async closeUnnamed(): Promise<void> {
      session.prepared.delete('')
      await closePortal('', false)
    },

    async closeAll(): Promise<void> {
      const closing = await Promise.allSettled([...portals.keys()].map(name => closePortal(name, false)))
      for (const outcome of closing) if (outcome.status === 'rejected') throw outcome.reason
    },
  }

  async function makeReady(statement: Prepared['statement'], declared: readonly number[]): Promise<Executable> {
    if (statement === null) return { columns: null, parameters: [], run: async () => ({ rows: null, tag: '' }) }
    // A cursor may be declared between Parse and Execute.
    return makeExecutable(session, statement, declared)
  }

  /** What was prepared may have been so for other rights or another model: it is made ready again for each run. */
  async function current(prepared: Prepared): Promise<Executable> {
    const { statement, declared, executable } = prepared
    if (statement === null || (statement.kind !== 'select' && statement.kind !== 'execute')) return executable
    const now = await makeExecutable(session, statement, declared)
    if (JSON.stringify([now.columns, now.parameters]) === JSON.stringify([executable.columns, executable.parameters]))
      return now
    throw new PgError('0A000', 'cached plan must not change result type')
  }

  async function advance(portal: Portal, most: number): Promise<void> {
    const { executable, values, formats, stop } = portal
    if (portal.rows === undefined) {
      const outcome = await executable.run(values, stop.signal)
      if (!outcome.rows) {
        portal.rows = null
        writeComplete(writer, outcome.tag)
        return
      }
      portal.rows = outcome.rows
      portal.tag = outcome.tag
    }
    if (portal.rows === null) {
      writeComplete(writer, portal.tag(0))
      return
    }
    const { count, done } = await sendRows(writer, flush, portal.rows, executable.columns ?? [], formats, most)
    if (!done) return
    await portal.rows.close()
    portal.rows = null
    writeComplete(writer, portal.tag(count))
  }

  function describeRows({ columns }: Executable, formats: readonly Format[]): void {
    if (columns === null) writeEmpty(writer, 'n')
    else writeRowDescription(writer, columns, formats)
  }

  function findPrepared(name: string): Prepared {
    const found = session.prepared.get(name)
    if (!found) throw new PgError('26000', `prepared statement "${name}" does not exist`)
    return found
  }

  function findPortal(name: string): Portal {
    const found = portals.get(name)
    if (!found) throw new PgError('34000', `portal "${name}" does not exist`)
    return found
  }

  async function closePortal(name: string, mustBeNew: boolean): Promise<void> {
    const portal = portals.get(name)
    if (!portal) return
    if (mustBeNew) throw new PgError('42P03', `portal "${name}" already exists`)
    portals.delete(name)
    portal.stop.abort()
    await portal.rows?.close()
  }
}

function countOf(count: number): number {
  if (count < 0) throw protocolViolation('invalid message format')
  return count
}

function readFormats(reader: BodyReader): Format[] {
  return Array.from({ length: countOf(reader.int16()) }, () => {
    const format = reader.int16()
    if (format !== 0 && format !== 1) throw new PgError('22023', `unsupported format code: ${format}`)
    return format
  })
}
