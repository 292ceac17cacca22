/** Somebody who signed in to the pages with this browser. */
export interface Person {
  readonly accountId: number
  readonly accountName: string
  readonly userId: number
  readonly email: string
  /** First name, else user name. */
  readonly name: string
  readonly isAdmin: boolean
  /** Which of his browsers. */
  readonly signInId: string
}

/** Facts of one request beside who makes it. */
export interface Visit {
  readonly requestId: string
  readonly address: string | null
  /** What the program says it is (`User-Agent`). */
  readonly agent: string | null
}

/** As it is kept and shown: without control characters, and no longer than a line. */
export const shownAgent = (agent: string | null): string | null =>
  agent === null
    ? null
    : agent
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
        .slice(0, 200)
        .trim() || null
