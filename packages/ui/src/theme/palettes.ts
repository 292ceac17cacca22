import { seriesColorsOnLight } from '@hedron/contract/series-colors'
import { type Color, isDark, mix, parseColor, toHex } from './color.ts'

/**
 * Ten colours of series; those for a light ground are the contract's, since the service makes charts too. Found by search and held
 * by a test: any two are 0.14 apart in OKLab as most people see them, 0.1 with protanopia and deuteranopia, 0.09 with tritanopia,
 * and each has 3:1 on the ground that it is drawn on (WCAG 2.2, 1.4.11).
 */
const onDark = [
  '#94ffea',
  '#feb189',
  '#b4c2fe',
  '#289cfe',
  '#f65da5',
  '#def83a',
  '#ae9a17',
  '#9f4783',
  '#5e53d9',
  '#6a6b07',
] as const

/** Colours of series for a ground, in the order in which they are handed out. */
export function seriesColors(isOnDark: boolean): readonly string[] {
  return isOnDark ? onDark : seriesColorsOnLight
}

/** Even steps from a breath of the accent to the accent and beyond it. */
export function sequential(accent: Color, surface: Color): readonly string[] {
  const end = mix(accent, isDark(surface) ? hex('#ffffff') : hex('#06201d'), 0.45)
  const start = mix(surface, accent, 0.12)
  return [0, 0.25, 0.5, 0.75, 1].map(share => toHex(mix(start, end, share)))
}

/** Orange below, blue above, which all kinds of sight tell apart. */
export function diverging(surface: Color): readonly string[] {
  const [below, above] = isDark(surface) ? [hex('#feb189'), hex('#8fb8ff')] : [hex('#b45309'), hex('#1d4ed8')]
  const middle = mix(surface, hex('#808080'), 0.15)
  return [below, mix(below, middle, 0.5), middle, mix(above, middle, 0.5), above].map(toHex)
}

function hex(text: string): Color {
  const color = parseColor(text)
  if (!color) throw new Error(`${text} is not a colour.`)
  return color
}
