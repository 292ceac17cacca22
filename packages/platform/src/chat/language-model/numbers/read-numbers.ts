/** A number as a text has it. */
export interface WrittenNumber {
  /** As it was written, with its sign of money or percent. */
  readonly text: string
  /** What it can be: `1.234` is a number with three decimals, or one of thousands in German. */
  readonly readings: readonly Reading[]
  readonly isPlain: boolean
}

interface Reading {
  readonly value: number
  /** The smallest step that it shows: 0.01 of `12.34`, 100,000 of `2.3 million`. */
  readonly step: number
  /** `12 %` may stand for 0.12. */
  readonly isPercent: boolean
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  mille: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millones: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  billions: 1e9,
  mrd: 1e9,
  milliarden: 1e9,
  milliards: 1e9,
}

const digits = String.raw`\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`
const scale = String.raw`(?:\s?(k|thousand|tsd|mille|mn|mio|millions?|millionen|millones|bn|billions?|mrd|milliarden|milliards|m|b)\b\.?)?`
const percent = String.raw`(?:\s?(%|per\s?cent\b|percent\b|prozent\b|percentage\spoints?\b|pp\b))?`
const written = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,])([$€£¥]\s?)?(${digits})${scale}${percent}(?![\p{L}\p{N}_])`,
  'giu',
)

/** Dates, times, and what code holds: numbers in them measure nothing. */
const passed = [
  /https?:\/\/[^\s)>\]]+/gi,
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]*`/g,
  /\b\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g,
  /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g,
  /\b\d{1,2}:\d\d(?::\d\d)?\b/g,
  /\b\d{1,2}(?:st|nd|rd|th)\b/gi,
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)\p{L}*\.?\s+\d{1,2}\b(?!\s*(?:%|\p{L}))/giu,
  /\b\d{1,2}\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)\p{L}*/giu,
  /^\s*\d{1,3}[.)]\s/gm,
  /\b[qh][1-4]\b/gi,
]

/** All numbers of a text that tell how much or how many. */
export function readNumbers(text: string): WrittenNumber[] {
  const left = passed.reduce((rest, pattern) => rest.replace(pattern, match => ' '.repeat(match.length)), text)
  return [...left.matchAll(written)].map(([whole, money, number = '', scaled, share]) => ({
    text: whole.trim(),
    readings: readingsOf(number, scales[scaled?.toLowerCase() ?? ''] ?? 1, share !== undefined),
    isPlain: money === undefined && scaled === undefined && share === undefined && /^\d+$/.test(number),
  }))
}

function readingsOf(number: string, factor: number, isPercent: boolean): Reading[] {
  const marks = [...number.matchAll(/[.,]/g)].map(([mark]) => mark)
  const last = marks.at(-1)
  const plain = number.replace(/['’\u00a0\u202f]/g, '')
  const readings = new Map<number, Reading>()
  for (const decimal of ['.', ',']) {
    if (marks.filter(mark => mark === decimal).length > 1) continue
    // Nothing groups thousands behind the decimals.
    if (last !== undefined && last !== decimal && marks.includes(decimal)) continue
    const [whole = '', fraction = ''] = plain.split(decimal)
    const value = Number(`${whole.replace(/[.,]/g, '')}.${fraction === '' ? '0' : fraction}`) * factor
    if (Number.isFinite(value)) readings.set(value, { value, step: 10 ** -fraction.length * factor, isPercent })
  }
  return [...readings.values()]
}
