import { type Client, createClient, type Transport } from '@hedron/contract/client'
import type { Session } from './session.ts'

/** Waits between attempts of a request that did not reach the server, in milliseconds: long enough for it to be started anew. */
const pauses = [500, 1500, 3000, 6000]

/**
 * The platform API as the session of the frame. A token that is refused is renewed once and the request sent again; reading is tried again while
 * the server cannot be reached, writing is not, since nobody knows whether it was done.
 */
export function createApi(session: Session, send: typeof fetch): Client {
  const transport: Transport = async (url, { signal, ...request }) => {
    for (let attempt = 0; ; attempt++) {
      const token = await session.token()
      const pause = request.method === 'GET' ? pauses[attempt] : undefined
      try {
        const response = await send(url, {
          ...request,
          credentials: 'omit',
          headers: { ...request.headers, authorization: `Embed-Token ${token}` },
          signal,
        })
        if (response.status === 401 && attempt === 0 && (await session.refused(token))) continue
        if (response.status < 502 || pause === undefined) return response
      } catch (error) {
        if (pause === undefined || signal.aborted) throw error
      }
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
  return createClient({ baseUrl: '', fetch: transport })
}
