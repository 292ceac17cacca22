import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../src/framework/json.ts'

/** Clears the screen, sets a colour by an eight-bit code, goes back over the line, rings, deletes. */
export const hostile = 'x\u001b[2J\u009b31m\r\b\u0007\u0000\u007f'

const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../contract/openapi.json'), 'utf8'))

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((current, name) => (isRecord(current) ? current[name] : undefined), value)

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : []

/**
 * An answer to a request as its operation describes it, in which every text is `hostile`. Undefined where there is no such operation.
 *
 * @param keepsWords Whether texts that are one of a list stay so, as statuses by which a command goes on.
 */
export function hostileAnswer(method: string, path: string, keepsWords: boolean): unknown {
  const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`).test(path)
  const [, operations] = entriesOf(at(document, 'paths')).find(([template]) => fits(template)) ?? []
  const responses = entriesOf(at(operations, method.toLowerCase(), 'responses'))
  const [, success] = responses.find(([status]) => status.startsWith('2')) ?? []
  return success === undefined ? undefined : sample(at(success, 'content', 'application/json', 'schema'), keepsWords, 0)
}

function sample(schema: unknown, keepsWords: boolean, depth: number): unknown {
  if (!isRecord(schema) || depth > 12) return null
  const again = (below: unknown) => sample(below, keepsWords, depth + 1)
  if (typeof schema.$ref === 'string')
    return again(at(document, 'components', 'schemas', schema.$ref.split('/').at(-1) ?? ''))
  for (const choices of [schema.anyOf, schema.oneOf]) if (Array.isArray(choices)) return again(choices[0])
  if (Array.isArray(schema.allOf)) return Object.assign({}, ...schema.allOf.map(again))
  if (keepsWords && Array.isArray(schema.enum)) return schema.enum.at(-1)
  if (keepsWords && schema.const !== undefined) return schema.const
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return [again(schema.items), again(schema.items)]
  if (type === 'integer' || type === 'number') return 7
  if (type === 'boolean') return false
  if (type === 'object') {
    const named = entriesOf(schema.properties).map(([name, below]) => [name, again(below)])
    const others = isRecord(schema.additionalProperties) ? [[hostile, again(schema.additionalProperties)]] : []
    return Object.fromEntries([...named, ...others])
  }
  return hostile
}
