import type { Answer } from '../support/api.ts'

/** One place that is written again and again. */
interface Slot {
  /** The newest version that was acknowledged; null: none was. */
  acknowledged: number | null
  /** A version that was sent and never answered: it may be there or not. */
  uncertain: number | null
}

interface Found {
  readonly slot: string
  readonly version: number
}

/** What was written where, as far as one who writes can know. */
export interface Slots {
  /** Writes rising versions until a request gets no answer. @returns how many were acknowledged. */
  write(next: (version: number) => { readonly slot: string; send(): Promise<Answer> }): Promise<number>
  /**
   * Reads everything back. All parts of a slot must be of one version: the newest acknowledged, or one that was sent after it and
   * never answered.
   */
  check(read: () => Promise<readonly Found[]>): Promise<void>
}

export function slots(name: string): Slots {
  const known = new Map<string, Slot>()
  let version = 0
  return {
    async write(next) {
      for (let acknowledged = 0; ; acknowledged++) {
        version += 1
        const { slot: key, send } = next(version)
        const slot = known.get(key) ?? { acknowledged: null, uncertain: null }
        known.set(key, slot)
        slot.uncertain = version
        const answer = await send().catch(() => null)
        if (answer === null) return acknowledged
        if (answer.status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(answer.body)}`)
        slot.acknowledged = version
        slot.uncertain = null
      }
    },
    async check(read) {
      const found = await read()
      for (const [key, slot] of known) {
        const versions = [...new Set(found.filter(each => each.slot === key).map(each => each.version))]
        const [only = null] = versions
        if (versions.length > 1) throw new Error(`${name} ${key} is half written: versions ${versions.join(' and ')}`)
        if (only !== slot.acknowledged && (only === null || only !== slot.uncertain)) {
          throw new Error(
            `${name} ${key} is ${only}, but ${slot.acknowledged} was acknowledged (then ${slot.uncertain} sent)`,
          )
        }
        // What was not there yet may still come: on a database server of its own, a transaction can outlive who began it.
        if (only === slot.uncertain) slot.uncertain = null
        slot.acknowledged = only
      }
    },
  }
}
