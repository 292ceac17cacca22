import { findSpecProblem } from '../../content/safe-spec.ts'
import { houseConfig } from './house-config.ts'
import { ToolError } from './tool-error.ts'

const longest = 100_000
const version = /^https:\/\/vega\.github\.io\/schema\/vega-lite\/v5(?:\.\d+){0,2}\.json$/
const schema = 'https://vega.github.io/schema/vega-lite/v5.json'

const words = (text: string) => new Set(text.trim().split(/\s+/))
const marks = words(
  'arc area bar boxplot circle errorband errorbar geoshape image line point rect rule square text tick trail',
)
const channels =
  words(`angle color column description detail facet fill fillOpacity href key latitude latitude2 longitude longitude2
  opacity order radius radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 time tooltip url x x2 xError
  xError2 xOffset y y2 yError yError2 yOffset`)
const types = words('quantitative temporal ordinal nominal geojson')
const parts =
  words(`$schema align autosize background bounds center columns concat config description encoding facet hconcat height
  layer mark name padding params projection repeat resolve spacing spec title transform usermeta vconcat view width`)
/** What a view can be made of; it has one of these. */
const compositions = ['mark', 'layer', 'concat', 'hconcat', 'vconcat', 'spec'] as const
/** Transforms whose columns have names that only the rows tell. */
const naming = ['pivot', 'quantile', 'density', 'loess', 'regression']

type Fields = Readonly<Record<string, unknown>>

/**
 * Checks the chart of an answer (SPEC, `serviceSqlApi`): a Vega-Lite v5 spec as JSON text without data, which loads nothing and runs
 * nothing, and whose fields are columns of the rows that it is drawn from, so that text, table and chart speak of the same.
 *
 * @param columns names of the rows' columns
 * @returns the spec as JSON text with `$schema` and a `config`, the house's where it says nothing itself
 * @throws {ToolError} saying what is wrong where
 */
export function checkChart(text: string, columns: readonly string[]): string {
  if (text.length > longest) throw wrong(`it has more than ${longest} characters`)
  const spec = read(text)
  const { $schema = schema, config = {} } = spec
  if (typeof $schema !== 'string' || !version.test($schema)) throw wrong(`"$schema" must be ${JSON.stringify(schema)}`)
  if (!isFields(config)) throw wrong('"config" must be an object')
  const unsafe = findSpecProblem(spec, 'vegaSpec')
  if (unsafe) throw wrong(`${unsafe.path}: ${unsafe.reason}`)
  const made = new Set<string>()
  const isOpen = collectMade(spec, made)
  checkView(spec, 'vegaSpec')
  checkParts(spec, 'vegaSpec', {
    data: at => wrong(`${at}: leave data out. The rows of sqlQuery are the data of the chart`),
    field: (name, at) => {
      if (isOpen || made.has(name) || columns.some(column => escaped(column) === name)) return
      const known = columns.map(column => JSON.stringify(escaped(column))).join(', ')
      throw wrong(`${at}: the rows have no column ${JSON.stringify(name)}. They have ${known}`)
    },
  })
  return JSON.stringify({ $schema, ...spec, config: { ...houseConfig, ...config } })
}

const wrong = (reason: string) =>
  new ToolError(`vegaSpec is not used: ${reason}. Correct it, or call the tool without vegaSpec.`)

function read(text: string): Fields {
  try {
    const spec: unknown = JSON.parse(text)
    if (isFields(spec)) return spec
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw wrong('it is not the JSON text of an object')
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A column under the name by which Vega-Lite finds it: dots and brackets mean parts of an object there. */
const escaped = (column: string) => column.replace(/[.[\]]/g, '\\$&')

/** Is what a view is made of known to Vega-Lite? Views inside are checked too. */
function checkView(view: unknown, at: string): void {
  if (!isFields(view)) throw wrong(`${at} must be an object`)
  const unknown = Object.keys(view).find(key => !parts.has(key) && key !== 'data' && key !== 'datasets')
  if (unknown !== undefined) throw wrong(`${at}.${unknown} is no part of a view in Vega-Lite`)
  const [composition, more] = compositions.filter(key => Object.hasOwn(view, key))
  if (composition === undefined) throw wrong(`${at} has no mark, layer or other view`)
  if (more !== undefined) throw wrong(`${at} has both ${composition} and ${more}`)
  if (Object.hasOwn(view, 'encoding')) checkEncoding(view.encoding, `${at}.encoding`)
  const part = view[composition]
  if (composition === 'mark') {
    const mark = isFields(part) ? part.type : part
    if (typeof mark !== 'string' || !marks.has(mark)) throw wrong(`${at}.mark must be one of ${[...marks].join(', ')}`)
    return
  }
  if (composition === 'spec') {
    if (!Object.hasOwn(view, 'facet') && !Object.hasOwn(view, 'repeat')) throw wrong(`${at} has no facet or repeat`)
    checkView(part, `${at}.spec`)
    return
  }
  if (!Array.isArray(part) || part.length === 0) throw wrong(`${at}.${composition} must be a list of views`)
  for (const [index, item] of part.entries()) checkView(item, `${at}.${composition}[${index}]`)
}

function checkEncoding(encoding: unknown, at: string): void {
  if (!isFields(encoding)) throw wrong(`${at} must be an object`)
  for (const [channel, definition] of Object.entries(encoding)) {
    if (!channels.has(channel)) throw wrong(`${at}.${channel} is no channel of Vega-Lite`)
    for (const one of Array.isArray(definition) ? definition : [definition]) {
      if (one === null) continue
      if (!isFields(one)) throw wrong(`${at}.${channel} must be an object`)
      if (one.type !== undefined && (typeof one.type !== 'string' || !types.has(one.type))) {
        throw wrong(`${at}.${channel}.type must be one of ${[...types].join(', ')}`)
      }
    }
  }
}

/** Adds the columns that the spec's transforms make. @returns whether it makes some whose names only the rows tell */
function collectMade(value: unknown, made: Set<string>): boolean {
  if (Array.isArray(value)) return value.map(item => collectMade(item, made)).some(Boolean)
  if (!isFields(value)) return false
  for (const name of [value.as].flat()) if (typeof name === 'string') made.add(name)
  if (value.fold !== undefined) for (const name of ['key', 'value']) made.add(name)
  if (Array.isArray(value.flatten)) for (const name of value.flatten) if (typeof name === 'string') made.add(name)
  const inside = Object.values(value).map(part => collectMade(part, made))
  return naming.some(key => Object.hasOwn(value, key)) || inside.some(Boolean)
}

interface Checks {
  readonly data: (at: string) => ToolError
  readonly field: (name: string, at: string) => void
}

/** Looks at every part but `config`, which has neither data nor fields. */
function checkParts(value: unknown, at: string, checks: Checks): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkParts(item, `${at}[${index}]`, checks)
  }
  if (!isFields(value)) return
  for (const [key, part] of Object.entries(value)) {
    const place = `${at}.${key}`
    if (key === 'data' || key === 'datasets') throw checks.data(place)
    if (key === 'field' && typeof part === 'string') checks.field(part, place)
    if (key !== 'config') checkParts(part, place, checks)
  }
}
