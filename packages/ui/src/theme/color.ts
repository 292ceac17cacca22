/** A colour as screens have it: red, green and blue from 0 to 255, opacity from 0 to 1. */
export interface Color {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly a: number
}

/** Lightness from 0 to 1 and the two axes of hue, in OKLab (bottosson.github.io/posts/oklab), where distances are as they look. */
export interface Oklab {
  readonly L: number
  readonly a: number
  readonly b: number
}

/**
 * Reads what style sheets call a colour in hexadecimal, `rgb()`, `hsl()` and `oklch()`. Names and the newer functions are for the
 * browser to read.
 *
 * @returns null where it is none of these.
 */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase()
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(value)?.[1]
  if (hex !== undefined) return fromHex(hex)
  const [, name, inner] = /^(rgba?|hsla?|oklch)\(([^()]*)\)$/.exec(value) ?? []
  if (name === undefined || inner === undefined) return null
  const parts = inner.split(/[\s,/]+/).filter(part => part !== '')
  if (parts.length < 3 || parts.length > 4) return null
  const [first = '', second = '', third = '', fourth = '1'] = parts
  const a = amount(fourth, 1)
  if (name.startsWith('rgb'))
    return checked({ r: amount(first, 255), g: amount(second, 255), b: amount(third, 255), a })
  if (name === 'oklch') {
    const [L, C, h] = [amount(first, 1), amount(second, 0.4), (angle(third) * Math.PI) / 180]
    return checked({ ...fromOklab({ L, a: C * Math.cos(h), b: C * Math.sin(h) }), a })
  }
  return checked({ ...fromHsl(angle(first), amount(second, 1), amount(third, 1)), a })
}

/** `#rrggbb`, or `#rrggbbaa` where it is not opaque. */
export function toHex({ r, g, b, a }: Color): string {
  const channels = a >= 1 ? [r, g, b] : [r, g, b, a * 255]
  return `#${channels.map(channel => clamp(Math.round(channel), 0, 255).toString(16).padStart(2, '0')).join('')}`
}

/** From `from` (0) to `to` (1), in steps that look even. */
export function mix(from: Color, to: Color, share: number): Color {
  const [x, y] = [toOklab(from), toOklab(to)]
  const between = (one: number, other: number) => one + (other - one) * share
  const mixed = fromOklab({ L: between(x.L, y.L), a: between(x.a, y.a), b: between(x.b, y.b) })
  return { ...mixed, a: between(from.a, to.a) }
}

/** WCAG 2.2: from 1 (the same) to 21 (black on white). Opacity is not looked at. */
export function contrast(one: Color, other: Color): number {
  const [x, y] = [luminance(one), luminance(other)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** `color`, or the nearest one of its hue that has the contrast: lighter on what is dark, darker on what is light. */
export function withContrast(color: Color, background: Color, ratio: number): Color {
  if (contrast(color, background) >= ratio) return color
  const end: Color = luminance(background) > 0.18 ? { r: 0, g: 0, b: 0, a: 1 } : { r: 255, g: 255, b: 255, a: 1 }
  for (let share = 0.02; share < 1; share += 0.02) {
    const nearer = mix(color, end, share)
    if (contrast(rounded(nearer), background) >= ratio) return rounded(nearer)
  }
  return end
}

export function isDark(color: Color): boolean {
  return luminance(color) < 0.18
}

export function toOklab(color: Color): Oklab {
  const [r, g, b] = [linear(color.r), linear(color.g), linear(color.b)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    L: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}

/** What a screen cannot show is cut to what it can. */
export function fromOklab({ L, a, b }: Oklab): Color {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  return {
    r: gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    a: 1,
  }
}

function luminance({ r, g, b }: Color): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** Light of a channel, from 0 to 1 (IEC 61966-2-1). */
export function linear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** The channel that gives this much light; the inverse of `linear`. */
export function gamma(light: number): number {
  const value = clamp(light, 0, 1)
  return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)
}

function fromHex(digits: string): Color {
  const long = digits.length < 6 ? [...digits].map(digit => digit + digit).join('') : digits
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16)
  return { r: channel(0), g: channel(2), b: channel(4), a: long.length === 8 ? channel(6) / 255 : 1 }
}

function fromHsl(hue: number, saturation: number, lightness: number): Pick<Color, 'r' | 'g' | 'b'> {
  const channel = (shift: number) => {
    const at = (shift + hue / 30) % 12
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * clamp(Math.min(at - 3, 9 - at), -1, 1))
  }
  return { r: channel(0), g: channel(8), b: channel(4) }
}

/** A number, or a share of `whole` where it is a percentage. */
function amount(text: string, whole: number): number {
  return text.endsWith('%') ? (number(text.slice(0, -1)) / 100) * whole : number(text)
}

function angle(text: string): number {
  const degrees = number(text.replace(/deg$/, ''))
  return ((degrees % 360) + 360) % 360
}

function number(text: string): number {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

function checked(color: Color): Color | null {
  const { r, g, b, a } = color
  return [r, g, b, a].every(Number.isFinite)
    ? { r: clamp(r, 0, 255), g: clamp(g, 0, 255), b: clamp(b, 0, 255), a: clamp(a, 0, 1) }
    : null
}

const rounded = ({ r, g, b, a }: Color): Color => ({ r: Math.round(r), g: Math.round(g), b: Math.round(b), a })

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
