/**
 * Writes the part of the published contract that `acceptance/content/conformance.test.ts` holds the server against: the operations
 * of embedding and content with the schemas of their answers, and nothing else.
 *
 * Usage: node scripts/trim-published-contract.ts <operations.json of the published contract>
 */
import { readFileSync, writeFileSync } from 'node:fs'

const tags = new Set([
  'App Theme',
  'Dashboard Embed Access',
  'Embed',
  'Embed Tenants',
  'Folders',
  'Reports',
  'Tenant Settings',
  'User Attribute Values',
  'User Attributes',
  'Workbooks',
  'Workspace',
])

interface Published {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown> }
}
interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly responses: Record<string, { content?: Record<string, { schema?: unknown }> }>
}

const source: { 'platform-api': Published } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { paths, components } = source['platform-api']
const wanted = new Set<string>()

/** The parts that say which values are right; of several choices any will do, since a date-time is no bad date. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key]) => !key.startsWith('x-') && !['summary', 'title', 'deprecated'].includes(key),
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string') {
        const name = inner.slice('#/components/schemas/'.length)
        add(name)
        return [key, `#/$defs/${name}`]
      }
      // Names of properties are not keywords.
      if (key === 'properties')
        return [key, Object.fromEntries(Object.entries(Object(inner)).map(([n, s]) => [n, plain(s)]))]
      return [key === 'oneOf' ? 'anyOf' : key, plain(inner)]
    }),
  )
}

const schemas: Record<string, unknown> = {}
function add(name: string): void {
  if (wanted.has(name)) return
  wanted.add(name)
  schemas[name] = plain(components.schemas[name])
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { tags: own }]) => own?.some(tag => tags.has(tag)))
    .map(([method, { operationId, tags: own, responses }]) => {
      const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['200', {}]
      const schema = response.content?.['application/json']?.schema
      return { operationId, tag: own?.[0], method, path, status: Number(status), schema: plain(schema) ?? null }
    }),
)
const $defs = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('acceptance/fixtures/published-contract.json', `${JSON.stringify({ operations, $defs }, null, 1)}\n`)
