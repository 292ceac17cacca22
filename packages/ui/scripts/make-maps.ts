import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Writes the maps that are shipped: countries of the world and states of the US, cut out of `vega-datasets` (Natural Earth and the US
 * Census Bureau, public domain). Run again when that package changes: `node packages/ui/scripts/make-maps.ts`.
 */
type Arcs = readonly (number | Arcs)[]
interface Topology {
  readonly transform: unknown
  readonly objects: Readonly<Record<string, { readonly type: string; readonly geometries: readonly { arcs?: Arcs }[] }>>
  readonly arcs: readonly unknown[]
}

const source = join(import.meta.dirname, '../../../node_modules/vega-datasets/data')
const target = fileURLToPath(new URL('../src/maps/generated/', import.meta.url))

cut('world-110m.json', 'countries', 'world.json')
cut('us-10m.json', 'states', 'us-states.json')

function cut(file: string, name: string, to: string) {
  const map: Topology = JSON.parse(readFileSync(join(source, file), 'utf8'))
  const object = map.objects[name]
  if (!object) throw new Error(`${file} has no ${name}.`)
  const places = new Map<number, number>()
  const arcs: unknown[] = []
  // A negative number is the arc of its complement, drawn the other way round.
  const keep = (index: number) => {
    const at = index < 0 ? ~index : index
    let place = places.get(at)
    if (place === undefined) {
      place = arcs.push(map.arcs[at]) - 1
      places.set(at, place)
    }
    return index < 0 ? ~place : place
  }
  const renumber = (some: Arcs): Arcs => some.map(one => (typeof one === 'number' ? keep(one) : renumber(one)))
  const geometries = object.geometries.map(one => (one.arcs ? { ...one, arcs: renumber(one.arcs) } : one))
  const cutOut = { type: 'Topology', transform: map.transform, objects: { regions: { ...object, geometries } }, arcs }
  writeFileSync(join(target, to), `${JSON.stringify(cutOut)}\n`)
}
