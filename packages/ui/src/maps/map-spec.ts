import { rowIndex } from '../charts/chart-rows.ts'
import { formatText, formatType } from '../charts/format-type.ts'
import type { Part } from '../charts/spec.ts'
import { type Column, numberOf, type Result } from '../results/result.ts'
import type { Theme } from '../theme/theme.ts'
import { countryRegions, plainName, type Regions, stateRegions } from './regions.ts'

interface Topology {
  readonly type: string
  readonly objects: {
    readonly regions: { readonly type: string; readonly geometries: readonly { readonly id: number }[] }
  }
}

/** Each map is a chunk of its own. */
const maps = {
  world: async (): Promise<Topology> => (await import('./generated/world.json')).default,
  us: async (): Promise<Topology> => (await import('./generated/us-states.json')).default,
}

/** A map as a chart, and how many rows it cannot place. */
export interface MapSpec {
  readonly spec: Part
  readonly unplaced: number
}

/**
 * A map of a result: points where it has latitude and longitude, otherwise countries or states of the US, whichever a column names
 * most of, in the colour of the first measure.
 *
 * @returns null where no column is a place.
 */
export async function mapSpec(result: Result, theme: Theme, locale: string): Promise<MapSpec | null> {
  const { columns, rows } = result
  const latitude = columns.findIndex(
    ({ name, title }) => /(?:^|[._\s])lat(?:itude)?$/i.test(name) || /\blatitude\b/i.test(title),
  )
  const longitude = columns.findIndex(
    ({ name, title }) => /(?:^|[._\s])(?:lon|lng|long|longitude)$/i.test(name) || /\blongitude\b/i.test(title),
  )
  const measure = columns.find(
    (column, at) => (column.isMeasure ?? column.type === 'number') && at !== latitude && at !== longitude,
  )
  if (latitude >= 0 && longitude >= 0) return points(result, latitude, longitude, measure, theme, locale)
  const lists = [
    { load: maps.world, regions: countryRegions(locale), projection: 'equalEarth' },
    { load: maps.us, regions: stateRegions(), projection: 'albersUsa' },
  ] as const
  let best: { readonly at: number; readonly list: (typeof lists)[number]; readonly placed: number } | undefined
  for (const [at, column] of columns.entries()) {
    if (column.type !== 'string') continue
    for (const list of lists) {
      const placed = rows.filter(row => regionOf(row[at], list.regions) !== undefined).length
      if (placed > (best?.placed ?? 0)) best = { at, list, placed }
    }
  }
  if (!best || !measure) return null
  return areas(result, best.at, { ...best.list, map: await best.list.load() }, measure, theme, locale)
}

function regionOf(cell: unknown, regions: Regions): number | undefined {
  return typeof cell === 'string' ? regions.get(plainName(cell)) : undefined
}

function land(map: Topology, theme: Theme): Part {
  return {
    data: { values: map, format: { type: 'topojson', feature: 'regions' } },
    mark: { type: 'geoshape', fill: theme.colors.soft, stroke: theme.colors.line, strokeWidth: 0.6, tooltip: null },
  }
}

async function points(
  { columns, rows }: Result,
  latitude: number,
  longitude: number,
  measure: Column | undefined,
  theme: Theme,
  locale: string,
): Promise<MapSpec> {
  const places = rows.map(row => [numberOf(row[longitude]), numberOf(row[latitude])] as const)
  const isPlace = ([lon, lat]: readonly [number, number]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90
  // Alaska to Maine, Hawaii to Point Barrow: what that projection can show.
  const isUs = places.every(([lon, lat]) => !isPlace([lon, lat]) || (lon > -172 && lon < -66 && lat > 18.5 && lat < 72))
  const field = (at: number) => ({ field: escaped(columns[at]?.name ?? ''), type: 'quantitative' })
  const size = measure && {
    size: {
      field: escaped(measure.name),
      type: 'quantitative',
      title: measure.title,
      scale: { rangeMin: 12, rangeMax: 500 },
      legend: { format: formatText(measure, locale, true), formatType, orient: 'right', tickCount: 3 },
    },
  }
  const marks = {
    mark: { type: 'circle', fill: theme.colors.accent, opacity: 0.65, stroke: theme.colors.surface, strokeWidth: 0.5 },
    encoding: { longitude: field(longitude), latitude: field(latitude), ...size },
  }
  const spec = {
    projection: { type: isUs ? 'albersUsa' : 'equalEarth' },
    layer: [land(await (isUs ? maps.us() : maps.world()), theme), marks],
  }
  return { spec, unplaced: places.filter(place => !isPlace(place)).length }
}

function areas(
  { columns, rows }: Result,
  at: number,
  list: { readonly map: Topology; readonly regions: Regions; readonly projection: string },
  measure: Column,
  theme: Theme,
  locale: string,
): MapSpec {
  const value = columns.indexOf(measure)
  const byRegion = new Map<number, { row: number; sum: number; count: number }>()
  let unplaced = 0
  for (const [row, cells] of rows.entries()) {
    const region = regionOf(cells[at], list.regions)
    const number = numberOf(cells[value])
    if (region === undefined || Number.isNaN(number)) {
      unplaced += 1
      continue
    }
    const known = byRegion.get(region)
    byRegion.set(region, { row: known?.row ?? row, sum: (known?.sum ?? 0) + number, count: (known?.count ?? 0) + 1 })
  }
  // Several rows of one region cannot be one number: averages do not add up. The first is not taken for all of them either.
  const single = [...byRegion].filter(([, { count }]) => count === 1)
  unplaced += [...byRegion.values()].reduce((sum, { count }) => sum + (count > 1 ? count : 0), 0)
  const shown = new Map(single)
  const { regions } = list.map.objects
  const geometries = regions.geometries.flatMap(geometry => {
    const found = shown.get(Number(geometry.id))
    return found ? [{ ...geometry, properties: { value: found.sum, [rowIndex]: found.row } }] : []
  })
  const topology = { ...list.map, objects: { regions: { ...regions, geometries } } }
  const filled = {
    data: { values: topology, format: { type: 'topojson', feature: 'regions' } },
    mark: { type: 'geoshape', stroke: theme.colors.surface, strokeWidth: 0.6 },
    encoding: {
      color: {
        field: 'properties.value',
        type: 'quantitative',
        title: measure.title,
        scale: { range: [...theme.sequential] },
        legend: { format: formatText(measure, locale, true), formatType },
      },
    },
  }
  return { spec: { projection: { type: list.projection }, layer: [land(list.map, theme), filled] }, unplaced }
}

function escaped(name: string): string {
  return name.replace(/([.[\]])/g, '\\$1')
}
