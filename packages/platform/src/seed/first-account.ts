import { accounts, apiKeys, installation, type Store, users } from '@hedron/store'
import type { Caller } from '../caller.ts'
import { type Effects, randomId } from '../effects.ts'
import { digestOf } from '../people/digest.ts'
import { hashPassword } from '../people/password.ts'

export interface FirstAccountOptions {
  readonly account: string
  readonly adminEmail: string
  /** Null: made here. */
  readonly adminPassword: string | null
  /** Null: made here. */
  readonly bootstrapApiKey: string | null
}

export interface FirstAccount {
  /** The first administrator, as one who calls. */
  readonly caller: Caller
  /** What was made at this start and is shown once; null where it was made before or given from outside. */
  readonly password: string | null
  readonly apiKey: string | null
  /** To call when both have been shown; until then the next start makes them anew, so that nobody is locked out. */
  readonly shown: () => Promise<void>
}

/**
 * Sees to it that the account, its first administrator and the bootstrap key exist. Running it again changes nothing, but for a
 * key given from outside that is new.
 */
export async function ensureFirstAccount(
  { store, effects }: { store: Store; effects: Effects },
  options: FirstAccountOptions,
): Promise<FirstAccount> {
  const email = options.adminEmail
  const fact = `first-account ${options.account}`
  const password = options.adminPassword ?? effects.randomBytes(15).toString('base64url')
  const apiKey = options.bootstrapApiKey ?? `sk-${effects.randomBytes(32).toString('base64url')}`

  return store.transaction(async transaction => {
    const account = await accounts.ensureAccount(transaction, options.account)
    const done = await installation.readInstallation(transaction, fact)
    const values = { passwordHash: done ? null : hashPassword(password, effects) }
    const admin =
      (await users.insertUser(transaction, {
        accountId: account.id,
        email,
        username: email,
        isAdmin: true,
        ...values,
      })) ?? (await users.findUserByEmail(transaction, account.id, email))
    if (!admin) throw new Error(`user ${email} was neither made nor found`)
    if (!done && values.passwordHash !== null) {
      await users.setPasswordHash(transaction, account.id, admin.id, values.passwordHash)
    }
    if (!done || options.bootstrapApiKey !== null) {
      await apiKeys.ensureApiKey(transaction, {
        id: randomId(effects),
        accountId: account.id,
        createdByUserId: admin.id,
        name: 'bootstrap',
        digest: digestOf(apiKey),
        prefix: apiKey.slice(0, 8),
        deploymentIds: null,
        policies: null,
        createdAt: effects.now(),
      })
    }
    return {
      caller: {
        accountId: account.id,
        userId: admin.id,
        name: admin.firstName ?? 'Hedron',
        email,
        isAdmin: true,
        policies: [],
        deploymentScope: null,
        credential: 'system',
        embed: null,
      },
      password: done || options.adminPassword !== null ? null : password,
      apiKey: done || options.bootstrapApiKey !== null ? null : apiKey,
      shown: async () => {
        await installation.claimInstallation(store.kysely, fact, { at: effects.now().toISOString() })
      },
    }
  })
}
