import { type Insertable, type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { UserTable } from '../schema.ts'

export type UserRow = Selectable<UserTable>

/** Users of the account after the id `after`, in the order of ids. */
export async function listUsers(
  executor: Executor,
  accountId: number,
  options: { search: string | undefined; after: number | undefined; limit: number },
): Promise<UserRow[]> {
  return matching(executor, accountId, options.search)
    .selectAll()
    .$if(options.after !== undefined, query => query.where('id', '>', options.after ?? 0))
    .orderBy('id')
    .limit(options.limit)
    .execute()
}

export async function countUsers(executor: Executor, accountId: number, search: string | undefined): Promise<number> {
  const { count } = await matching(executor, accountId, search)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching(executor: Executor, accountId: number, search: string | undefined) {
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, character => `\\${character}`)}%`
  return executor
    .selectFrom('users')
    .where('accountId', '=', accountId)
    .$if(Boolean(search), query =>
      query.where(({ eb, or }) =>
        or([eb('email', 'ilike', pattern), eb('username', 'ilike', pattern), eb('firstName', 'ilike', pattern)]),
      ),
    )
}

export async function findUser(executor: Executor, accountId: number, id: number): Promise<UserRow | undefined> {
  return executor
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Keeps others from changing the user, and what is written under this lock, until the transaction ends. */
export async function lockUser(transaction: Executor, accountId: number, id: number): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute()
}

/** The internal user with that e-mail address, whatever its case. */
export async function findUserByEmail(
  executor: Executor,
  accountId: number,
  email: string,
): Promise<UserRow | undefined> {
  return executor
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('externalId', 'is', null)
    .executeTakeFirst()
}

/** @returns undefined where the account has a user with that e-mail address or name already. */
export async function insertUser(executor: Executor, values: Insertable<UserTable>): Promise<UserRow | undefined> {
  return executor
    .insertInto('users')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function setPasswordHash(
  executor: Executor,
  accountId: number,
  id: number,
  passwordHash: string,
): Promise<void> {
  await executor
    .updateTable('users')
    .set({ passwordHash, updatedAt: new Date() })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export async function touchLastLogin(executor: Executor, accountId: number, id: number, at: Date): Promise<void> {
  await executor
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** The internal user of that name, whatever its case. */
export async function findUserByName(
  executor: Executor,
  accountId: number,
  username: string,
): Promise<UserRow | undefined> {
  return executor
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .where('externalId', 'is', null)
    .executeTakeFirst()
}
