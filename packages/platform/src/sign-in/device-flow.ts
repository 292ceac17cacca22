import { deviceCodes, type Store, users } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { digestOf } from '../people/digest.ts'
import type { Attempts } from './attempts.ts'
import { auditVisit } from './audit-visit.ts'
import { clientName } from './clients.ts'
import { type Logins, lostAnswerMs, type TokenAnswer } from './logins.ts'
import { OAuthError } from './oauth-error.ts'
import { type Person, shownAgent, type Visit } from './person.ts'
import { makeSecret, prefixes } from './secrets.ts'
import { makeUserCode, readUserCode, showUserCode } from './user-code.ts'

/** The answer of RFC 8628 section 3.2. */
export interface DeviceAnswer {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  /** Seconds. */
  readonly expires_in: number
  readonly interval: number
}

/** What waits for a person to decide. */
export interface WaitingDevice {
  /** As it is shown, with a dash. */
  readonly userCode: string
  readonly client: string
  readonly agent: string | null
  readonly address: string | null
  readonly askedAt: Date
  readonly expiresAt: Date
}

/** Null: nobody waits for that code. */
export type FoundDevice = WaitingDevice | null | { readonly wait: number }

interface DeviceFlowNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly attempts: Attempts
  readonly logins: Logins
  readonly baseUrl: () => string
}

const lifeSeconds = 900
const firstInterval = 5
/** Added to the interval of a program that asks too often (RFC 8628 section 3.5). */
const slowDown = 5
/** What a program may be early by: clocks and networks are not exact. */
const earlyMs = 1_000

/** The device flow (RFC 8628): a program shows a code, a person who is signed in types it and decides, the program gets its tokens. */
export function createDeviceFlow({ store, effects, attempts, logins, baseUrl }: DeviceFlowNeeds) {
  return {
    /** @throws {OAuthError} `temporarily_unavailable` for an address that asks too often. */
    async start(clientId: string, visit: Visit): Promise<DeviceAnswer> {
      const wait = await attempts.count('device code', visit.address ?? '')
      if (wait > 0) {
        throw new OAuthError('temporarily_unavailable', `Too many logins from this address. Wait ${wait} s.`, wait)
      }
      const deviceCode = makeSecret(effects, 'device')
      const now = effects.now()
      const values = {
        digest: digestOf(deviceCode),
        clientId,
        address: visit.address,
        agent: shownAgent(visit.agent),
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifeSeconds * 1000),
        intervalSeconds: firstInterval,
      }
      for (let tries = 0; tries < 5; tries++) {
        const userCode = makeUserCode(effects)
        if (!(await deviceCodes.insertDeviceCode(store.kysely, { ...values, userCode }))) continue
        const uri = `${baseUrl()}/auth/device`
        return {
          device_code: deviceCode,
          user_code: showUserCode(userCode),
          verification_uri: uri,
          verification_uri_complete: `${uri}?user_code=${showUserCode(userCode)}`,
          expires_in: lifeSeconds,
          interval: firstInterval,
        }
      }
      throw new Error('five random user codes were all taken')
    },

    /** @throws {OAuthError} the codes of RFC 8628 section 3.5. */
    async poll(deviceCode: string, clientId: string, visit: Visit): Promise<TokenAnswer> {
      if (!deviceCode.startsWith(prefixes.device)) throw unknownCode()
      // What is refused is written all the same, so refusals are values until the transaction ends.
      const outcome = await store.transaction(async transaction => {
        const code = await deviceCodes.lockDeviceCode(transaction, digestOf(deviceCode))
        const now = effects.now()
        if (!code || code.clientId !== clientId) return unknownCode()
        if (code.exchangedAt !== null) {
          const isFresh = now.getTime() - code.exchangedAt.getTime() <= lostAnswerMs
          const isSame = isFresh && code.exchangedFor === visit.address
          return (isSame ? await logins.again(transaction, deviceCode) : undefined) ?? unknownCode()
        }
        if (code.expiresAt <= now) {
          return new OAuthError('expired_token', 'The code has expired before anybody allowed it. Log in again.')
        }
        if (code.decision === 'denied') return denied()
        if (code.decision === null) {
          const sincePoll = now.getTime() - (code.polledAt ?? code.createdAt).getTime()
          const isEarly = code.polledAt !== null && sincePoll < code.intervalSeconds * 1000 - earlyMs
          const intervalSeconds = code.intervalSeconds + (isEarly ? slowDown : 0)
          await deviceCodes.updateDeviceCode(transaction, code.digest, { polledAt: now, intervalSeconds })
          return isEarly
            ? new OAuthError('slow_down', `Ask no more often than every ${intervalSeconds} s.`, intervalSeconds)
            : new OAuthError('authorization_pending', 'Nobody has decided yet.')
        }
        const { accountId, userId } = code
        if (accountId === null || userId === null) throw new Error('a decided device code has no user')
        await deviceCodes.updateDeviceCode(transaction, code.digest, { exchangedAt: now, exchangedFor: visit.address })
        const user = await users.findUser(transaction, accountId, userId)
        if (!user || user.isDeactivated) return denied()
        const login = { accountId, userId, clientId, clientName: null, scope: 'all', seed: deviceCode } as const
        return logins.open(transaction, login, visit)
      })
      if (outcome instanceof OAuthError) throw outcome
      return outcome
    },

    /** Looks for who waits for a code. Each look is counted as a guess, right or not: who guesses also has codes of his own. */
    async find(person: Person, text: string): Promise<FoundDevice> {
      const wait = await attempts.count('user code', String(person.userId))
      if (wait > 0) return { wait }
      const userCode = readUserCode(text)
      const row =
        userCode === null ? undefined : await deviceCodes.findWaitingDevice(store.kysely, userCode, effects.now())
      return row ? show(row) : null
    },

    /** Allows or denies. @returns null where nobody waits for that code any more; `wait`: he guessed too often. */
    async decide(person: Person, text: string, decision: 'allowed' | 'denied', visit: Visit): Promise<FoundDevice> {
      const wait = await attempts.count('user code', String(person.userId))
      if (wait > 0) return { wait }
      const userCode = readUserCode(text)
      if (userCode === null) return null
      const { accountId, userId, email } = person
      const decidedAt = effects.now()
      const row = await store.transaction(async transaction => {
        const decided = { accountId, userId, decision, decidedAt }
        const device = await deviceCodes.decideOnDevice(transaction, userCode, decided)
        if (!device) return undefined
        await auditVisit(transaction, visit, {
          accountId,
          at: decidedAt,
          actor: email,
          action: decision === 'allowed' ? 'device.allow' : 'device.deny',
          target: `client ${device.clientId}`,
          details: { deviceAddress: device.address, deviceAgent: device.agent, askedAt: device.createdAt },
        })
        return device
      })
      return row ? show(row) : null
    },
  }
}
export type DeviceFlow = ReturnType<typeof createDeviceFlow>

const show = (row: deviceCodes.DeviceCodeRow): WaitingDevice => ({
  userCode: showUserCode(row.userCode),
  client: clientName(row.clientId),
  agent: row.agent,
  address: row.address,
  askedAt: row.createdAt,
  expiresAt: row.expiresAt,
})

const unknownCode = () =>
  new OAuthError('invalid_grant', 'The device code is not valid: unknown, or exchanged before. Log in again.')
const denied = () => new OAuthError('access_denied', 'The login was denied in the browser.')
