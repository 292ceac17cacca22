import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model, QueryContext } from '../../src/index.ts'
import { everyone, modelOf } from './model.ts'

const golden = join(import.meta.dirname, '..', 'golden')
const read = (...path: string[]) => readFileSync(join(golden, ...path), 'utf8')

export interface GoldenCase {
  readonly name: string
  readonly model: Model
  /** Its source. */
  readonly yaml: string
  readonly query: unknown
  readonly caller: QueryContext
  /** The same question, written by hand for DuckDB. */
  readonly reference: string
}

const models: Readonly<Record<string, string>> = { stages: 'stages.yml', calendar: 'calendar.yml' }

export const goldenData = read('data.sql')

/** Every folder of test/golden; cases called stages-… ask stages.yml, calendar-… calendar.yml. */
export function readGoldenCases(): GoldenCase[] {
  const names = readdirSync(golden, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))
  return names.map(name => {
    const has = (file: string) => existsSync(join(golden, name, file))
    const hasCaller = has('caller.json')
    const shop = hasCaller ? 'guarded-shop.yml' : (models[name.split('-')[0] ?? ''] ?? 'shop.yml')
    const yaml = has('model.yml') ? read(name, 'model.yml') : read(shop)
    const caller = hasCaller ? { ...everyone, ...JSON.parse(read(name, 'caller.json')) } : everyone
    const query: unknown = JSON.parse(read(name, 'query.json'))
    return { name, model: modelOf(yaml), yaml, query, caller, reference: read(name, 'reference.sql') }
  })
}
