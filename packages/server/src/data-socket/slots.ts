/** Lets a few run at a time; the others wait for their turn. */
export interface Slots {
  use<T>(run: () => Promise<T>): Promise<T>
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count

  return {
    async use(run) {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await run()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
