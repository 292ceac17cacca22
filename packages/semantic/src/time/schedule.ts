import { instantOf, localOf } from './local-time.ts'

/** Fires each `seconds`, counted from the beginning of 1970 and `offset` seconds on clocks of a time zone. */
export interface Steps {
  readonly seconds: number
  readonly offset: number
  readonly timezone: string
}

/** How many milliseconds ago a schedule last fired. Where clocks are set back over a step, it fires once. */
export function sinceLastStep({ seconds, offset, timezone }: Steps, now: Date): number {
  const instant = now.getTime()
  const length = seconds * 1000
  const local = localOf(instant, timezone)
  let step = Math.floor((local - offset * 1000) / length) * length + offset * 1000
  while (instantOf(step, timezone) > instant) step -= length
  return instant - instantOf(step, timezone)
}
