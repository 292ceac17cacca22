import type { DimensionType } from './member-type.ts'

export interface JoinSpec {
  /** The cube that is joined. */
  readonly name: string
  readonly relationship: 'many_to_one' | 'one_to_many'
  readonly sql: string
}

export interface CubeSpec {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly sqlTable: string
  readonly joins: readonly JoinSpec[]
  readonly dimensions: readonly {
    readonly name: string
    readonly sql: string
    readonly type: DimensionType
    readonly isKey: boolean
    readonly description: string
  }[]
  readonly measures: readonly { readonly name: string; readonly type: string; readonly sql: string | null }[]
}

/** A cube as a model file. */
export function writeCube(cube: CubeSpec, source: string): string {
  const lines = [
    `# Made by Hedron from ${source.replaceAll(/[^\w.-]/g, '_')}. Each sync replaces this file: change the dbt project, or extend the cube elsewhere.`,
    'cubes:',
    `  - name: ${cube.name}`,
    `    title: ${textual(cube.title)}`,
    ...describing('    ', cube.description),
    `    sql_table: ${expression(cube.sqlTable)}`,
  ]
  if (cube.joins.length > 0) lines.push('', '    joins:')
  for (const { name, relationship, sql } of cube.joins) {
    lines.push(`      - name: ${name}`, `        relationship: ${relationship}`, `        sql: ${expression(sql)}`)
  }
  if (cube.dimensions.length > 0) lines.push('', '    dimensions:')
  for (const { name, sql, type, isKey, description } of cube.dimensions) {
    lines.push(`      - name: ${textual(name)}`, `        sql: ${expression(sql)}`, `        type: ${type}`)
    if (isKey) lines.push('        primary_key: true', '        public: true')
    lines.push(...describing('        ', description))
  }
  lines.push('', '    measures:')
  for (const { name, type, sql } of cube.measures) {
    lines.push(
      `      - name: ${textual(name)}`,
      ...(sql === null ? [] : [`        sql: ${expression(sql)}`]),
      `        type: ${type}`,
    )
  }
  return `${lines.join('\n')}\n`
}

const describing = (indent: string, text: string) => (text === '' ? [] : [`${indent}description: ${textual(text)}`])

/** YAML in double quotes reads JSON's escapes; braces are escaped too, or they would be a template's. */
const textual = (text: string): string => JSON.stringify(text).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d')

/** SQL, whose braces are references. */
const expression = (sql: string): string => JSON.stringify(sql)
