import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../../src/index.ts'
import { modelOf } from './model.ts'

const golden = join(import.meta.dirname, '..', 'golden')
const read = (...path: string[]) => readFileSync(join(golden, ...path), 'utf8')

export interface GoldenCase {
  readonly name: string
  readonly model: Model
  /** Its source. */
  readonly yaml: string
  readonly query: unknown
  /** The same question, written by hand for DuckDB. */
  readonly reference: string
}

export const goldenData = read('data.sql')

/** Every folder of test/golden but those that matter because of who asks. */
export function readGoldenCases(): GoldenCase[] {
  const names = readdirSync(golden, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))
  const everyones = names.filter(name => !existsSync(join(golden, name, 'caller.json')))
  return everyones.map(name => {
    const yaml = existsSync(join(golden, name, 'model.yml')) ? read(name, 'model.yml') : read('shop.yml')
    const query: unknown = JSON.parse(read(name, 'query.json'))
    return { name, model: modelOf(yaml), yaml, query, reference: read(name, 'reference.sql') }
  })
}
