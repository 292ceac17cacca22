import { readCommands, type SessionStatement, typeByName, typeByOid } from '@hedron/sql'
import { PgError } from '../protocol/pg-error.ts'
import { catalogExecutable } from './catalog-executable.ts'
import { doing, type Executable } from './executable.ts'
import { callerOf, keepPrepared, type Session } from './session.ts'

/** Makes a statement ready, as `makeExecutable` does. */
type Make = (session: Session, statement: SessionStatement, declared: readonly number[]) => Promise<Executable>
type Statement<K extends SessionStatement['kind']> = Extract<SessionStatement, { kind: K }>

/** `PREPARE`: keeps a statement under a name, for `EXECUTE` and for Bind of the protocol alike. */
export function prepareExecutable(
  session: Session,
  { name, types, text }: Statement<'prepare'>,
  make: Make,
): Executable {
  return doing('PREPARE', async () => {
    const declared = types.map(type => {
      // What is declared as unknown is found out.
      if (type === 'unknown') return 0
      const known = typeByName(type)
      if (!known) throw new PgError('42704', `type "${type}" does not exist`)
      return known.oid
    })
    const [statement, more] = await readCommands(text)
    if (statement?.kind !== 'select' || more) throw new PgError('0A000', 'PREPARE takes one SELECT')
    const executable = await make(session, statement, declared)
    keepPrepared(session, name, { statement, declared, size: text.length, executable })
  })
}

/**
 * `EXECUTE`: computes the values, then runs the prepared statement with them as its parameters. The statement is made ready again, as
 * rights and model may be others by now.
 *
 * @throws {PgError} 26000, 42601
 */
export async function executeExecutable(
  session: Session,
  { name, values }: Statement<'execute'>,
  make: Make,
): Promise<Executable> {
  const prepared = session.prepared.get(name)
  if (!prepared) throw new PgError('26000', `prepared statement "${name}" does not exist`)
  const { statement, declared } = prepared
  if (statement?.kind !== 'select' && statement?.kind !== 'explain')
    throw new PgError('0A000', `EXECUTE of "${name}" is not supported, as it is no SELECT`)
  const executable = await make(session, statement, declared)
  const { parameters } = executable
  if (values.length !== parameters.length) {
    throw new PgError('42601', `wrong number of parameters for prepared statement "${name}"`, {
      detail: `Expected ${parameters.length} parameters but got ${values.length}.`,
    })
  }
  if (values.length === 0) return executable
  const given = await valuesExecutable(session, name, values, parameters)
  return {
    columns: executable.columns,
    parameters: given.parameters,
    async run(outer, signal) {
      const { rows } = await given.run(outer, signal)
      const [row] = rows ? (await rows.read(1)).rows : []
      if (!row) throw new Error('a SELECT without tables gives one row')
      return executable.run(
        row.map(cell => (cell === null ? null : String(cell))),
        signal,
      )
    },
  }
}

/** The one row of `SELECT CAST(value AS type of the parameter), …`, which sees no tables. */
async function valuesExecutable(
  session: Session,
  name: string,
  values: Statement<'execute'>['values'],
  parameters: readonly number[],
): Promise<Executable> {
  const targetList = values.map((arg, index) => {
    const type = typeByOid(parameters[index] ?? 25)?.name ?? 'text'
    const typeName = { names: [{ String: { sval: 'pg_catalog' } }, { String: { sval: type } }], typemod: -1 }
    return { ResTarget: { val: { TypeCast: { arg, typeName } } } }
  })
  const tree = { SelectStmt: { targetList } }
  const model = await session.access.catalog(callerOf(session))
  const executable = catalogExecutable(session, model, { kind: 'select', text: `EXECUTE ${name}`, tree }, [])
  if (!executable) throw new Error('a SELECT without tables is of the catalogs')
  return executable
}
