import { displayValue, isRecord, type JsonRecord } from '../../framework/json.ts'

const methods = ['get', 'put', 'post', 'patch', 'delete', 'options', 'head', 'trace'] as const

export interface Operation {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly operationId: string
}

/** Every operation of an OpenAPI document, in the order of its paths. */
export const operationsOf = (document: JsonRecord): readonly Operation[] =>
  entriesOf(document.paths).flatMap(([path, item]) =>
    methods.flatMap(method => {
      const operation = isRecord(item) ? item[method] : undefined
      if (!isRecord(operation)) return []
      const { summary, operationId } = operation
      return [
        { method: method.toUpperCase(), path, summary: displayValue(summary), operationId: displayValue(operationId) },
      ]
    }),
  )

export const matches = ({ method, path, summary, operationId }: Operation, pattern: string): boolean =>
  `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(pattern.toLowerCase())

/** A smaller document that is valid by itself: these operations, and every component that they lead to. */
export function excerpt(document: JsonRecord, operations: readonly Operation[]): JsonRecord {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [path, item] of entriesOf(document.paths)) {
    const wanted = operations.filter(operation => operation.path === path).map(({ method }) => method.toLowerCase())
    if (wanted.length === 0) continue
    // What is not an operation belongs to all of them: parameters, servers, a description.
    const kept = entriesOf(item).filter(([key]) => wanted.includes(key) || !methods.some(method => method === key))
    paths[path] = Object.fromEntries(kept)
  }
  const top = ['openapi', 'info', 'servers', 'security'].filter(key => document[key] !== undefined)
  const components = componentsOf(document, paths)
  return {
    ...Object.fromEntries(top.map(key => [key, document[key]])),
    paths,
    ...(Object.keys(components).length === 0 ? {} : { components }),
  }
}

/** The components that `root` leads to, directly or through each other; security schemes are named without a reference. */
function componentsOf(document: JsonRecord, root: unknown): JsonRecord {
  const all = isRecord(document.components) ? document.components : {}
  const found: Record<string, Record<string, unknown>> = {}
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    for (const [section, name] of referencesIn(pending.pop())) {
      const components = all[section]
      if (!isRecord(components) || !Object.hasOwn(components, name) || Object.hasOwn(found[section] ?? {}, name))
        continue
      found[section] = { ...found[section], [name]: components[name] }
      pending.push(components[name])
    }
  }
  return { ...found, ...(all.securitySchemes === undefined ? {} : { securitySchemes: all.securitySchemes }) }
}

function referencesIn(value: unknown): readonly (readonly [section: string, name: string])[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const match = key === '$ref' && typeof item === 'string' ? /^#\/components\/([^/]+)\/([^/]+)/.exec(item) : null
    if (match === null) return referencesIn(item)
    const [, section = '', name = ''] = match
    return [[section, unescapePointer(name)] as const]
  })
}

/** A segment of a JSON pointer inside a URI fragment (RFC 6901, sections 4 and 6). */
const unescapePointer = (segment: string): string =>
  decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : []
