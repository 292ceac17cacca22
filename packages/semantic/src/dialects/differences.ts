import type { Dialect } from './dialect.ts'

/** Names that databases with DATEDIFF and DATEADD give to the same things. */
interface Names {
  readonly difference: string
  readonly double: string
  readonly integer: string
}

/**
 * Buckets for databases whose DATEDIFF counts the boundaries passed, so that its months and milliseconds are rounded down.
 * Their division may round, cut or keep fractions, and only that of doubles is the same everywhere: exact here, because
 * both sides are whole and far below 2^53. Their DATEADD takes 32 bits, so
 * the longest unit that fits is added.
 */
export function differenceBuckets({ difference, double, integer }: Names) {
  const steps = (unit: string, time: string, size: number, origin: string) =>
    `floor(CAST(${difference}(${unit}, ${origin}, ${time}) AS ${double}) / ${size})`
  const whole = (number: string) => `CAST(${number} AS ${integer})`
  return {
    addMilliseconds(time, milliseconds) {
      const days = Math.trunc(milliseconds / day)
      const rest = milliseconds % day
      const atDay = days === 0 ? time : `DATEADD(DAY, ${days}, ${time})`
      return rest === 0 ? atDay : `DATEADD(MILLISECOND, ${rest}, ${atDay})`
    },
    secondsSteps: (time, seconds, origin) => whole(steps('SECOND', time, seconds, origin)),
    secondsBucket(time, seconds, origin) {
      const [unit, length] = units.find(([, inSeconds]) => seconds % inSeconds === 0) ?? ['SECOND', 1]
      const number = `${steps('MILLISECOND', time, seconds * 1000, origin)} * ${seconds / length}`
      return `DATEADD(${unit}, ${whole(number)}, ${origin})`
    },
    monthsBucket: (time, months, origin) =>
      `DATEADD(MONTH, ${whole(`${steps('MONTH', time, months, origin)} * ${months}`)}, ${origin})`,
  } satisfies Partial<Dialect>
}

const day = 86_400_000

const units = [
  ['DAY', 86_400],
  ['HOUR', 3_600],
  ['MINUTE', 60],
] as const
