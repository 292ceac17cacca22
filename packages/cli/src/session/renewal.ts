import { ApiError } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { oneReason } from '../framework/text.ts'
import { configPath, readConfig, updateConfig } from './config-file.ts'
import { withFileLock } from './file-lock.ts'
import { bodyLine, sendForm, tokensOf } from './oauth.ts'

/** Gives another access token in place of one that was refused; null where there is none to be had. */
export type Renew = (refused: string) => Promise<string | null>

type RenewEffects = Pick<
  Effects,
  'fetch' | 'environment' | 'platform' | 'homeDirectory' | 'now' | 'sleep' | 'randomId' | 'stderr'
>

/** A request takes at most 15 seconds, and whoever waits for it needs no request of his own. */
const lockTimes = { patience: 25_000, lifetime: 20_000 }

/**
 * Renews the tokens of a saved context. A refresh token is good for one exchange, so runs side by side take turns, and whoever finds
 * that another has renewed them meanwhile uses what that one saved.
 */
export function createRenewal(effects: RenewEffects, url: string, context: string): Renew {
  const renewing = new Map<string, Promise<string | null>>()
  const warn = (message: string) => effects.stderr.write(`warning: ${message}\n`)

  async function renew(refused: string): Promise<string | null> {
    const saved = (await readConfig(effects)).contexts.get(context)
    if (saved?.refreshToken === undefined) return null
    if (saved.apiKey !== refused) return saved.apiKey
    const answer = await sendForm(effects, url, '/auth/oauth2/refresh', {
      grant_type: 'refresh_token',
      refresh_token: saved.refreshToken,
    })
    const tokens = tokensOf(answer)
    if (tokens === undefined) throw new Failure('unexpected_answer', { message: 'the answer holds no access_token' })
    const { accessToken: apiKey, refreshToken = saved.refreshToken } = tokens
    try {
      await updateConfig(effects, config => ({
        ...config,
        contexts: new Map(
          [...config.contexts].map(([name, it]) => [name, name === context ? { ...it, apiKey, refreshToken } : it]),
        ),
      }))
    } catch (error) {
      warn(`the renewed login could not be saved, the next run may have to log in again: ${reasonOf(error)}`)
    }
    return apiKey
  }

  return async refused => {
    const underWay = renewing.get(refused)
    if (underWay !== undefined) return underWay
    const renewed = withFileLock(`${configPath(effects)}.renewal`, effects, lockTimes, () => renew(refused)).catch(
      error => {
        warn(`token refresh failed: ${reasonOf(error)}`)
        return null
      },
    )
    renewing.set(refused, renewed)
    return renewed
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `(${error.status}): ${bodyLine(error)}`
  return oneReason(error instanceof Error ? error.message : String(error))
}
