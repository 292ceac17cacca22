import { ApiError } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { isRecord } from '../framework/json.ts'
import { oneCell, oneReason } from '../framework/text.ts'
import { bodyLine, refusalOf, sendForm, type Tokens, tokensOf } from './oauth.ts'

/** What a person needs to let this program in. */
export interface DevicePrompt {
  readonly userCode: string
  /** Where the code is typed; with the code in it where the server has such an address. */
  readonly url: string
}

interface DeviceCode extends DevicePrompt {
  readonly deviceCode: string
  /** Seconds. */
  readonly expiresIn: number
  readonly interval: number
}

type DeviceEffects = Pick<Effects, 'fetch' | 'environment' | 'now' | 'sleep' | 'signal'>

const codePath = '/auth/device/code'
const tokenPath = '/auth/device/token'
const grant = 'urn:ietf:params:oauth:grant-type:device_code'
/** Seconds (RFC 8628 section 3.5). */
const slowDown = 5

/**
 * Logs in through a browser (RFC 8628; contract/cli-core.md section 4): shows a code, and asks until somebody has decided. What
 * passes by itself, such as a server that restarts, does not end it.
 *
 * @throws {Failure} `device_login_unavailable`, `device_start_failed`, `login_expired`, `login_denied`, `login_refused`
 */
export async function logInByDevice(
  effects: DeviceEffects,
  url: string,
  show: (prompt: DevicePrompt) => Promise<void>,
): Promise<Tokens> {
  const code = await startLogin(effects, url)
  await show(code)
  const deadline = effects.now() + code.expiresIn * 1000
  let { interval } = code
  while (effects.now() < deadline) {
    await effects.sleep(interval * 1000, effects.signal)
    const answer = await pollOnce(effects, url, code.deviceCode)
    if (answer === 'slow down') interval += slowDown
    else if (answer !== 'wait') return answer
  }
  throw new Failure('login_expired')
}

async function startLogin(effects: DeviceEffects, url: string): Promise<DeviceCode> {
  const { HEDRON_OAUTH_SCOPE: scope = '' } = effects.environment
  let answer: unknown
  try {
    answer = await sendForm(effects, url, codePath, scope === '' ? {} : { scope })
  } catch (error) {
    if (effects.signal.aborted) throw new Failure('interrupted')
    if (!(error instanceof ApiError)) throw transportFailure(`${url}${codePath}`, error)
    // An older server, or something that is no server of ours.
    if (error.status === 404 || error.status < 300) throw new Failure('device_login_unavailable', { url })
    const endpoint = `${url}${codePath}`
    throw new Failure('device_start_failed', { endpoint, status: error.status, body: bodyLine(error) })
  }
  const code = readCode(answer)
  if (code === undefined) throw new Failure('device_login_unavailable', { url })
  return code
}

function readCode(answer: unknown): DeviceCode | undefined {
  if (!isRecord(answer)) return undefined
  const { device_code: deviceCode, user_code: userCode, verification_uri: plain } = answer
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof plain !== 'string') return undefined
  const complete = answer.verification_uri_complete
  return {
    deviceCode,
    userCode: oneCell(userCode),
    url: oneReason(typeof complete === 'string' && complete !== '' ? complete : plain),
    expiresIn: numberOf(answer.expires_in, 900, 1),
    interval: numberOf(answer.interval, 5, 1),
  }
}

async function pollOnce(
  effects: DeviceEffects,
  url: string,
  deviceCode: string,
): Promise<Tokens | 'wait' | 'slow down'> {
  try {
    const answer = await sendForm(effects, url, tokenPath, { grant_type: grant, device_code: deviceCode })
    const tokens = tokensOf(answer)
    if (tokens === undefined) throw new Failure('login_refused', { reason: 'the answer holds no access_token' })
    return tokens
  } catch (error) {
    if (error instanceof Failure) throw error
    if (effects.signal.aborted) throw new Failure('interrupted')
    const refusal = refusalOf(error)
    // No answer at all, or one that passes: asked again, until the code expires.
    if (refusal === undefined) return 'wait'
    const { code, status, description } = refusal
    if (code === 'authorization_pending') return 'wait'
    if (code === 'slow_down') return 'slow down'
    if (code === 'access_denied') throw new Failure('login_denied')
    if (code === 'expired_token') throw new Failure('login_expired')
    if (status >= 500 || status === 408 || status === 429) return 'wait'
    const said = error instanceof ApiError ? `${status}: ${bodyLine(error)}` : String(status)
    const reason = code === undefined ? said : `${oneCell(code)}${description === '' ? '' : ` (${description})`}`
    throw new Failure('login_refused', { reason })
  }
}

const transportFailure = (url: string, error: unknown) =>
  new Failure('transport_failed', { url, reason: error instanceof Error ? error.message : String(error) })

const numberOf = (value: unknown, initial: number, least: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(least, value) : initial
