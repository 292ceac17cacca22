import { mix, parseColor, toHex } from '../theme/color.ts'

/**
 * Which colour a series has, by field and value. A series keeps its colour while filters come and go and on every chart beside:
 * keep one for as long as the page lives.
 */
export interface SeriesColors {
  /** Places of values in the palette, in the order of `values`. New ones get the next place. */
  places(field: string, values: readonly string[]): readonly number[]
}

export function createSeriesColors(): SeriesColors {
  const fields = new Map<string, Map<string, number>>()
  return {
    places(field, values) {
      const known = fields.get(field) ?? new Map<string, number>()
      fields.set(field, known)
      return values.map(value => {
        const place = known.get(value) ?? known.size
        known.set(value, place)
        return place
      })
    },
  }
}

/** The colour of a place. Beyond the palette it comes round again, each time nearer to the middle; legends then say so. */
export function colorAt(place: number, palette: readonly string[]): string {
  const round = Math.floor(place / palette.length)
  const text = palette[place % palette.length] ?? '#808080'
  const color = parseColor(text)
  const grey = parseColor('#9a9a9a')
  if (round === 0 || !color || !grey) return text
  return toHex(mix(color, grey, Math.min(0.7, 0.35 * round)))
}
