/** Hedron's API as the product's server calls it; the key never leaves this process. */
export interface Hedron {
  readonly url: string
  /** @throws {Error} with what the server says, for every answer that is not 2xx. */
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
}

export function connect(url: string, apiKey: string): Hedron {
  return {
    url,
    async ask(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return text === '' ? {} : JSON.parse(text)
    },
  }
}

/** Somebody who is signed in to the product. */
export interface Person {
  readonly email: string
  readonly name: string
  /** The customer whose rows the person may see. */
  readonly customer: string
}

/** A session for one person: it is good for one frame, for five minutes until the frame has opened it. */
export async function openSession(hedron: Hedron, deploymentId: number, person: Person): Promise<string> {
  const { sessionId } = await hedron.ask('POST', '/api/v1/embed/generate-session', {
    deploymentId,
    externalId: person.email,
    email: person.email,
    userProfile: { displayName: person.name },
    embedTenantName: person.customer,
    securityContext: { customer: person.customer },
  })
  return String(sessionId)
}
