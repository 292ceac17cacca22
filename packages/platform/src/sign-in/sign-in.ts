import type { Store } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { type Authorization, createAuthorization } from './assistants/authorization.ts'
import { createPrograms, type Programs } from './assistants/programs.ts'
import { createAttempts } from './attempts.ts'
import { type BrowserSessions, createBrowserSessions, type SessionLimits } from './browser-sessions.ts'
import { createDeviceFlow, type DeviceFlow } from './device-flow.ts'
import { createSignInHousekeeping } from './housekeeping.ts'
import { createLogins, type LoginLimits, type Logins } from './logins.ts'
import { createDeriveSecret, createFormTokens } from './secrets.ts'

export interface SignInNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly secretKey: Buffer
  readonly baseUrl: () => string
  readonly signInLimits: SessionLimits & LoginLimits
  readonly report: (error: unknown) => void
}

/** People at a browser, and the programs that they let act for them (docs/sign-in.md). */
export interface SignIn {
  readonly sessions: BrowserSessions
  readonly devices: DeviceFlow
  readonly logins: Logins
  /** Programs that people let in by a code, for the tools for assistants alone (docs/mcp.md). */
  readonly programs: Programs
  readonly authorization: Authorization
  /** What a form must show for the holder of a cookie's secret. */
  readonly formToken: (cookie: string) => string
  start(): void
  close(): Promise<void>
}

export function createSignIn({ store, effects, secretKey, baseUrl, signInLimits, report }: SignInNeeds): SignIn {
  const attempts = createAttempts({ store, effects })
  const logins = createLogins({ store, effects, derive: createDeriveSecret(secretKey), limits: signInLimits })
  const programs = createPrograms({ store, effects, attempts })
  const housekeeping = createSignInHousekeeping({ store, effects, report })
  return {
    sessions: createBrowserSessions({ store, effects, attempts, limits: signInLimits }),
    devices: createDeviceFlow({ store, effects, attempts, logins, baseUrl }),
    logins,
    programs,
    authorization: createAuthorization({ store, effects, programs, logins, baseUrl }),
    formToken: createFormTokens(secretKey),
    start: housekeeping.start,
    close: housekeeping.close,
  }
}
