/** A file of a generated project. */
export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

const cubesInFolder = 100
const cubesInView = 10

export const cubeName = (index: number): string => `cube_${String(index).padStart(4, '0')}`

/** The cube that a cube joins: together they are one tree, ten children each. Cube 0 is its root. */
export const parentOf = (index: number): number => Math.floor((index - 1) / 10)

/**
 * A project of so many cubes, and one view for each ten of them: 1,000 cubes are 1,100 files.
 *
 * @param revision stands in every file, so that another one is another content everywhere
 */
export function generateModel(cubes: number, revision = 0): readonly GeneratedFile[] {
  const views = Math.floor(cubes / cubesInView)
  return [
    ...Array.from({ length: cubes }, (_, index) => cubeFile(index, revision)),
    ...Array.from({ length: views }, (_, index) => viewFile(index, revision)),
  ]
}

/** Cubes alone, for what counts files rather than meaning. */
export const generateCubes = (count: number, revision = 0): readonly GeneratedFile[] =>
  Array.from({ length: count }, (_, index) => cubeFile(index, revision))

export function cubeFile(index: number, revision: number): GeneratedFile {
  const name = cubeName(index)
  const folder = `area_${String(Math.floor(index / cubesInFolder)).padStart(2, '0')}`
  return {
    path: `model/cubes/${folder}/${name}.yml`,
    content: `# Revision ${revision} of table ${index}.
cubes:
  - name: ${name}
    sql_table: warehouse.${name}
    description: Rows of table ${index}, revision ${revision}
${index === 0 ? '' : join(cubeName(parentOf(index)))}
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true

      - name: status
        sql: status
        type: string

      - name: name
        sql: "{CUBE}.first_name || ' ' || {CUBE}.last_name"
        type: string

      - name: created_at
        sql: created_at
        type: time

    segments:
      - name: open
        sql: "{CUBE}.status = 'open'"

    measures:
      - name: count
        type: count

      - name: amount
        sql: amount
        type: sum

      - name: open_count
        type: count
        filters:
          - sql: "{CUBE}.status = 'open'"

      - name: share_open
        sql: "1.0 * {open_count} / NULLIF({count}, 0)"
        type: number
`,
  }
}

const join = (parent: string): string => `
    joins:
      - name: ${parent}
        sql: "{CUBE}.parent_id = {${parent}.id}"
        relationship: many_to_one
`

function viewFile(index: number, revision: number): GeneratedFile {
  const name = `view_${String(index).padStart(4, '0')}`
  const cube = index * cubesInView + 1
  const parent = parentOf(cube)
  return {
    path: `model/views/${name}.yml`,
    content: `# Revision ${revision} of view ${index}.
views:
  - name: ${name}
    cubes:
      - join_path: ${cubeName(cube)}
        includes: [count, amount, share_open, status, created_at, open]
      - join_path: ${cubeName(cube)}.${cubeName(parent)}
        prefix: true
        includes: [status, name]
`,
  }
}

/**
 * A question about one cube and the one that it joins: measures, a calculation, a filter, a time dimension.
 *
 * @param index not 0, which joins none
 * @param variant another one is another question
 */
export function queryOf(index: number, variant: number) {
  const cube = cubeName(index)
  const parent = cubeName(parentOf(index))
  const until = new Date(Date.UTC(2001, 5, 30 + variant)).toISOString().slice(0, 10)
  return {
    measures: [`${cube}.count`, `${cube}.amount`, `${cube}.share_open`],
    dimensions: [`${cube}.status`, `${parent}.name`],
    timeDimensions: [{ dimension: `${cube}.created_at`, granularity: 'month', dateRange: ['2001-01-01', until] }],
    filters: [{ member: `${parent}.status`, operator: 'equals', values: ['open'] }],
    order: { [`${cube}.count`]: 'desc' },
    limit: 100,
  }
}

const granularities = ['day', 'week', 'month', 'quarter', 'year', 'hour']
const operators = ['equals', 'notEquals', 'contains', 'startsWith']

/** So many other shapes has a question: it groups by other times, filters in another way, or selects less. A prime, see its use. */
export const otherShapes = 503

/** @param variant from 0, less than `otherShapes` */
export function reshape(query: ReturnType<typeof queryOf>, variant: number) {
  const digits = variant + 1
  const digit = (before: number, base: number) => Math.floor(digits / before) % base
  const kept = digit(24, 7)
  const measures = query.measures.filter((_, position) => kept === 0 || ((kept >> position) & 1) === 1)
  const left = digit(24 * 7, 3)
  return {
    ...query,
    measures,
    dimensions: query.dimensions.filter((_, position) => left === 0 || left !== position + 1),
    timeDimensions: query.timeDimensions.map(time => ({
      ...time,
      granularity: granularities[(digit(1, 6) + 2) % 6] ?? '',
    })),
    filters: query.filters.map(filter => ({ ...filter, operator: operators[digit(6, 4)] ?? '' })),
    order: Object.fromEntries(measures.slice(0, 1).map(measure => [measure, 'desc'])),
  }
}
