import type { SqlAccess, SqlIdentity } from '@hedron/platform'
import type { TransactionStatus } from '../protocol/backend-messages.ts'
import type { MessageWriter } from '../protocol/message-writer.ts'
import { fatal, PgError } from '../protocol/pg-error.ts'
import type { Entered } from '../sign-in/authenticate.ts'
import type { Cursor } from './cursor.ts'
import type { Prepared } from './prepared.ts'
import type { Settings } from './settings.ts'

/** What one session keeps between messages. */
export interface Session {
  readonly access: SqlAccess
  readonly writer: MessageWriter
  readonly settings: Settings
  readonly user: string
  readonly processId: number
  readonly now: () => Date
  identity: SqlIdentity
  /** The user for whom a superuser speaks; null: for himself. */
  switchedUser: string | null
  status: TransactionStatus
  /** When the transaction began, or the statement outside of one. */
  startedAt: Date
  readonly prepared: Map<string, Prepared>
  readonly cursors: Map<string, Cursor>
  /** Names a run, for logs and for the database. */
  nextRequestId(): string
  /** Lets the user in again where that is due. @throws {PgError} fatal 28P01 when he no longer may. */
  renew(): Promise<void>
  /** Ends every portal and cursor of the transaction. */
  endTransaction(status: TransactionStatus): Promise<void>
}

const mostPrepared = 5000
/** Characters of all prepared statements of a session; the tree of a statement takes more. */
const mostPreparedText = 16 * 1024 * 1024

export function createSession(
  need: Pick<Session, 'access' | 'writer' | 'settings' | 'user' | 'processId' | 'now'> & { readonly entered: Entered },
): Session {
  const { entered, now } = need
  const renewalOf = ({ expiresMs, expiresAt }: SqlIdentity) => Math.min(now().getTime() + expiresMs, expiresAt)
  let renewAt = renewalOf(entered.identity)
  let runs = 0
  const session: Session = {
    ...need,
    nextRequestId: () => `sql-${need.processId}-${++runs}`,
    identity: entered.identity,
    switchedUser: null,
    status: 'I',
    startedAt: now(),
    prepared: new Map(),
    cursors: new Map(),
    async renew() {
      if (now().getTime() < renewAt) return
      const identity = await entered.again()
      if (!identity)
        throw fatal('28P01', `password authentication failed for user "${need.user}"`, {
          detail: 'The key, token or password is no longer valid.',
        })
      session.identity = identity
      renewAt = renewalOf(identity)
    },
    async endTransaction(status) {
      session.status = status
      const ending = [...session.cursors].filter(([, cursor]) => !cursor.hold)
      for (const [name] of ending) session.cursors.delete(name)
      await Promise.all(ending.map(([, cursor]) => cursor.close()))
    },
  }
  return session
}

/** With whose rights statements run. */
export const callerOf = ({ access, identity, switchedUser }: Session): DataCaller =>
  switchedUser === null ? identity.caller : access.switchUser(identity.caller, switchedUser)

type DataCaller = SqlIdentity['caller']

/** Keeps a prepared statement. @throws {PgError} 54000 where there are too many. */
export function keepPrepared({ prepared }: Session, name: string, statement: Prepared): void {
  if (name !== '' && prepared.has(name)) throw new PgError('42P05', `prepared statement "${name}" already exists`)
  if (prepared.size >= mostPrepared)
    throw new PgError('54000', `a session can keep at most ${mostPrepared} prepared statements`)
  let size = statement.size
  for (const other of prepared.values()) size += other.size
  if (size > mostPreparedText) {
    throw new PgError('54000', `the prepared statements of a session can have at most ${mostPreparedText} characters`)
  }
  prepared.set(name, statement)
}
