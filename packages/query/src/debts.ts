/** Why an outcome is kept for a request: it asks again because it was told to, or perhaps because it lost its connection. */
export type Debt = 'told to wait' | 'lost'

/** For which requests the outcome of a flight is kept. */
export interface Debts {
  owe(returner: string, debt: Debt): void
  /** A request is back. Says whether anything was owed to it. */
  pay(returner: string): boolean
  isOwed(returner: string): boolean
  forgetLost(): void
  count(): number
}

export function createDebts(): Debts {
  const owed = { 'told to wait': new Map<string, number>(), lost: new Map<string, number>() }

  function payFrom(counts: Map<string, number>, returner: string): boolean {
    const count = counts.get(returner)
    if (count === undefined) return false
    if (count > 1) counts.set(returner, count - 1)
    else counts.delete(returner)
    return true
  }

  return {
    owe(returner, debt) {
      const counts = owed[debt]
      counts.set(returner, (counts.get(returner) ?? 0) + 1)
    },
    pay: returner => payFrom(owed['told to wait'], returner) || payFrom(owed.lost, returner),
    isOwed: returner => owed['told to wait'].has(returner) || owed.lost.has(returner),
    forgetLost: () => owed.lost.clear(),
    count: () => owed['told to wait'].size + owed.lost.size,
  }
}
