/** What is done to the platform and its source on purpose, and which errors that explains. */
export interface Faults {
  /** Runs what does damage; until it is over, and a little longer, its errors are explained. */
  during<T>(fault: Fault, work: () => Promise<T>): Promise<T>
  /** The fault that explains an error of a request that was under way from `began` until `ended`, which is now; null: none does. */
  explain(message: string, began: number, ended?: number): Fault | null
  count(fault: Fault): number
}

export type Fault = keyof typeof explained

/** The published text of each, wherever in an error it stands. */
const explained = {
  'source restarted': /Data source "default" does not answer: /,
  'connections to the source ended': /Data source "default" does not answer: /,
  'variables changed': /The query was cancelled: its deployment changed or was deleted/,
} as const

/** How long after a fault its errors still reach clients: a pool that connects again, an answer on its way. Milliseconds. */
const aftermath = 5_000

interface Window {
  readonly fault: Fault
  readonly from: number
  to: number
}

/** @param say told of each fault when it begins */
export function createFaults(say: (message: string) => void): Faults {
  const windows: Window[] = []
  return {
    async during(fault, work) {
      const window = { fault, from: performance.now(), to: Number.POSITIVE_INFINITY }
      windows.push(window)
      say(`FAULT ${fault}`)
      try {
        return await work()
      } finally {
        window.to = performance.now() + aftermath
      }
    },
    explain(message, began, ended = performance.now()) {
      const met = windows.find(({ fault, from, to }) => from <= ended && began <= to && explained[fault].test(message))
      return met?.fault ?? null
    },
    count: fault => windows.filter(window => window.fault === fault).length,
  }
}
