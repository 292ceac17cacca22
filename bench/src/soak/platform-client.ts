import type { ServerProcess } from './server-process.ts'

/** Calls the platform API; anything but 2xx is thrown. */
export interface PlatformClient {
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** The same as another user's key. */
  with(apiKey: string): PlatformClient
}

export function createPlatformClient({ baseUrl }: Pick<ServerProcess, 'baseUrl'>, apiKey: string): PlatformClient {
  return {
    async call(method, path, body) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Api-Key ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
      return text === '' ? {} : JSON.parse(text)
    },
    with: key => createPlatformClient({ baseUrl }, key),
  }
}
