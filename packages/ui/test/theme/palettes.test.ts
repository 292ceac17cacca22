import { describe, expect, test } from 'vitest'
import { type Color, contrast, gamma, linear, parseColor, toOklab } from '../../src/theme/color.ts'
import { seriesColors } from '../../src/theme/palettes.ts'
import { resolveTheme, type Theme } from '../../src/theme/theme.ts'

function color(text: string): Color {
  const read = parseColor(text)
  if (!read) throw new Error(text)
  return read
}

type Row = readonly [number, number, number]

/** Machado, Oliveira and Fernandes 2009, severity 1. */
const sights: Readonly<Record<string, readonly [Row, Row, Row]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function seen({ r, g, b, a }: Color, [red, green, blue]: readonly [Row, Row, Row]): Color {
  const light = [linear(r), linear(g), linear(b)] as const
  const channel = (row: Row) => gamma(row[0] * light[0] + row[1] * light[1] + row[2] * light[2])
  return { r: channel(red), g: channel(green), b: channel(blue), a }
}

function nearest(colors: readonly Color[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const [at, one] of colors.entries()) {
    for (const other of colors.slice(0, at)) {
      const [x, y] = [toOklab(one), toOklab(other)]
      least = Math.min(least, Math.hypot(x.L - y.L, x.a - y.a, x.b - y.b))
    }
  }
  return least
}

describe.each([false, true])('colours of series, on dark: %s', isOnDark => {
  const colors = seriesColors(isOnDark).map(color)

  test('there are ten', () => {
    expect(new Set(seriesColors(isOnDark)).size).toBe(10)
  })

  test('are apart for most people', () => {
    expect(nearest(colors)).toBeGreaterThan(0.14)
  })

  test.each([
    ['protanopia', 0.1],
    ['deuteranopia', 0.1],
    ['tritanopia', 0.09],
  ])('are apart with %s', (sight, least) => {
    const matrix = sights[sight]
    expect(matrix).toBeDefined()
    if (matrix) expect(nearest(colors.map(one => seen(one, matrix)))).toBeGreaterThan(least)
  })

  test('have 3:1 on their ground', () => {
    const ground = color(resolveTheme({ scheme: isOnDark ? 'dark' : 'light' }).colors.surface)
    for (const one of colors) expect(contrast(one, ground)).toBeGreaterThanOrEqual(3)
  })
})

const scheme = (accentColor: string, backgroundColor: string, foregroundColor: string, contrastLevel = 45) => ({
  accentColor,
  backgroundColor,
  foregroundColor,
  contrast: contrastLevel,
  logoUrl: '' as const,
})
const account = (light: ReturnType<typeof scheme>, dark: ReturnType<typeof scheme>) => ({
  palette: {},
  logoUrl: '' as const,
  light,
  dark,
})

describe('every pair of a theme passes WCAG AA', () => {
  const themes: readonly (readonly [string, Theme])[] = (['light', 'dark'] as const).flatMap(one => [
    [`own, ${one}`, resolveTheme({ scheme: one })] as const,
    [
      `an account's that can hardly be read, ${one}`,
      resolveTheme({
        scheme: one,
        app: account(scheme('#ffff99', '#fafafa', '#bbbbbb', 0), scheme('#101030', '#202020', '#404040', 100)),
      }),
    ] as const,
    [
      `an account's of strong colour, ${one}`,
      resolveTheme({
        scheme: one,
        app: account(scheme('#e11d48', '#fde68a', '#1e1b4b'), scheme('#a3e635', '#1e1b4b', '#fef3c7')),
      }),
    ] as const,
    [`a session's, ${one}`, resolveTheme({ scheme: one, session: { primaryColor: 'hsl(55, 100%, 80%)' } })] as const,
  ])

  test.each(themes)('%s', (_, { colors }) => {
    const ratio = (one: string, other: string) => contrast(color(one), color(other))
    for (const ground of [colors.background, colors.surface, colors.soft]) {
      for (const text of [
        colors.text,
        colors.muted,
        colors.accentText,
        colors.warning,
        colors.danger,
        colors.success,
      ]) {
        expect(ratio(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    expect(ratio(colors.text, colors.accentSoft)).toBeGreaterThanOrEqual(4.5)
    expect(ratio(colors.onAccent, colors.accent)).toBeGreaterThanOrEqual(4.5)
    expect(ratio(colors.control, colors.surface)).toBeGreaterThanOrEqual(3)
    expect(ratio(colors.accent, colors.surface)).toBeGreaterThanOrEqual(3)
  })
})

describe('what a session wishes', () => {
  test('is taken where it can be read', () => {
    const theme = resolveTheme({
      scheme: 'light',
      session: {
        primaryColor: '#1d4ed8',
        font: 'Georgia',
        borderRadius: '12px',
        analyticsChat: { backgroundColor: '#fff7ed' },
      },
    })
    expect(theme.colors.accent).toBe('#1d4ed8')
    expect(theme.font).toMatch(/^'Georgia',/)
    expect(theme.radius).toBe(12)
    expect(theme.chat.background).toBe('#fff7ed')
  })

  test('is passed over where it is more than a colour, a font, a length', () => {
    const theme = resolveTheme({
      scheme: 'light',
      session: {
        primaryColor: 'url(https://evil.example)',
        font: "x'; background: url(https://evil.example)",
        borderRadius: 'calc(1px * 1e9)',
        chat: { inputColor: 'red; color: blue' },
      },
    })
    expect(theme).toEqual(resolveTheme({ scheme: 'light' }))
  })
})
