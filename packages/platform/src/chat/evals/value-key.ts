/** Digits in which two numbers have to agree (contract/behaviour/chat.md section 7, "Evals"). */
const digits = 4

/**
 * A text that is the same for two values exactly when an evaluation takes them for the same: numbers to four significant digits,
 * whether they come as numbers or as text; moments however they are written; everything else as it is.
 */
export function valueKey(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return numberKey(Number(value))
  if (typeof value === 'boolean') return `boolean ${value}`
  if (typeof value !== 'string') return `json ${JSON.stringify(value)}`
  if (value === 'true' || value === 'false') return `boolean ${value}`
  // A zero in front is part of a code, such as a postal one.
  if (/^-?(0|[1-9]\d*)?(\.\d+)?(e[+-]?\d+)?$/i.test(value) && /\d/.test(value)) return numberKey(Number(value))
  return momentKey(value) ?? `text ${value}`
}

function numberKey(value: number): string {
  if (!Number.isFinite(value)) return `number ${value}`
  // What differs only by the order of additions must not fall on two sides of a boundary of rounding.
  const settled = Number(value.toPrecision(12))
  return `number ${settled === 0 ? 0 : Number(settled.toPrecision(digits))}`
}

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|\+00(?::?00)?)?)?$/

/** Without time zone, or in UTC, which is how results show moments. */
function momentKey(text: string): string | undefined {
  const [, day, minutes = '00:00', seconds = '00', fraction = ''] = moment.exec(text) ?? []
  return day === undefined ? undefined : `moment ${day} ${minutes}:${seconds}.${fraction.replace(/0+$/, '')}`
}
