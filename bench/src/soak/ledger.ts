/** How often each client was answered, and what went wrong. */
export interface Ledger {
  of(client: string): Account
  readonly accounts: ReadonlyMap<string, Account>
  /** All breaches of all clients. */
  breaches(): number
}

/** What one client has seen. */
export interface Account {
  answered(milliseconds: number): void
  /** An error that an injected fault explains. */
  excused(fault: string): void
  /** Anything else: a wrong row, an error that nothing explains, no answer. */
  breach(what: string): void
  readonly answers: number
  readonly excuses: ReadonlyMap<string, number>
  readonly breachCount: number
  /** The first few, in words. */
  readonly examples: readonly string[]
  /** Of the newest answers, in milliseconds. */
  readonly latencies: readonly number[]
}

const shownExamples = 5
const keptLatencies = 20_000

export function createLedger(say: (message: string) => void): Ledger {
  const accounts = new Map<string, Account>()
  return {
    accounts,
    of(client) {
      const account = accounts.get(client) ?? createAccount(client, say)
      accounts.set(client, account)
      return account
    },
    breaches: () => [...accounts.values()].reduce((sum, { breachCount }) => sum + breachCount, 0),
  }
}

function createAccount(client: string, say: (message: string) => void): Account {
  const excuses = new Map<string, number>()
  const examples: string[] = []
  const latencies: number[] = []
  let answers = 0
  let breachCount = 0
  return {
    excuses,
    examples,
    latencies,
    get answers() {
      return answers
    },
    get breachCount() {
      return breachCount
    },
    answered(milliseconds) {
      latencies[answers % keptLatencies] = milliseconds
      answers += 1
    },
    excused(fault) {
      excuses.set(fault, (excuses.get(fault) ?? 0) + 1)
    },
    breach(what) {
      breachCount += 1
      if (examples.length >= shownExamples) return
      const example = `${new Date().toISOString().slice(11, 23)} ${what.slice(0, 600)}`
      examples.push(example)
      say(`BREACH ${client}: ${example}`)
    },
  }
}
