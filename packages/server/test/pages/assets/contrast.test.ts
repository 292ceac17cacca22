import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { assetsFolder } from '../support/browser-modules.ts'

const sheet = readFileSync(new URL('base.css', assetsFolder), 'utf8')
const colours = new Map(
  [...sheet.matchAll(/--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name, light = '', dark = '']) => [name, { light, dark }],
  ),
)

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function colour(name: string, scheme: 'light' | 'dark'): string {
  const found = colours.get(name)
  if (found === undefined) throw new Error(`base.css has no colour --${name}`)
  return found[scheme]
}

describe.each(['light', 'dark'] as const)('in the %s scheme', scheme => {
  test.each(['ink', 'muted', 'accent', 'warning', 'loss', 'done'])('%s reads on both grounds (AA, 4.5 to 1)', name => {
    for (const ground of ['page', 'surface']) {
      expect(contrast(colour(name, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('the edges of inputs are seen (AA, 3 to 1)', () => {
    expect(contrast(colour('edge', scheme), colour('page', scheme))).toBeGreaterThanOrEqual(3)
  })
})
