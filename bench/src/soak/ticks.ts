/** How many rows a table has that only grows, as far as who writes it can know. */
export interface Ticks {
  /** Writes one row. @param write throws where it is not known whether the row is there */
  add(write: () => Promise<void>): Promise<void>
  /** The most that there can be now. */
  most(): number
  /** The fewest that there were at a moment of `performance.now()`. */
  fewest(moment: number): number
}

export function createTicks(): Ticks {
  /** In the order of time. */
  const landed: { readonly at: number; readonly count: number }[] = [{ at: 0, count: 0 }]
  let sent = 0
  const newest = () => landed.at(-1)?.count ?? 0
  return {
    async add(write) {
      sent += 1
      await write()
      landed.push({ at: performance.now(), count: newest() + 1 })
      if (landed.length > 20_000) landed.splice(0, 10_000)
    },
    most: () => sent,
    fewest: moment => landed.findLast(({ at }) => at <= moment)?.count ?? 0,
  }
}
