import { LRUCache } from 'lru-cache'
import { collectFields } from './collect-fields.ts'
import { refuseAbove } from './document-limits.ts'
import { introspect, isIntrospection } from './introspect.ts'
import { type DocumentRequest, readDocument } from './read-document.ts'
import type { CubeSchema } from './schemas.ts'
import { type CubeQuery, translateCube } from './translate.ts'

/** A field of the answer: known already, or a query's rows. */
export type PreparedField =
  | { readonly key: string; readonly text: string }
  | { readonly key: string; readonly cube: CubeQuery; readonly parameters: object }

/** Characters of documents and of what they prepare to that are remembered. */
const rememberedSize = 16 * 1024 * 1024

/** Understands documents; one that comes again for the same schema was understood already. */
export function createPrepare() {
  const known = new LRUCache<string, readonly PreparedField[]>({
    maxSize: rememberedSize,
    sizeCalculation: (fields, key) =>
      2000 + key.length * 3 + fields.reduce((sum, field) => sum + ('text' in field ? field.text.length : 0), 0),
  })

  /** @throws {DocumentProblem} */
  return (cubeSchema: CubeSchema, request: DocumentRequest): readonly PreparedField[] => {
    const { query, operationName = null, variables } = request
    const key = JSON.stringify([cubeSchema.id, query, operationName, variables])
    const remembered = known.get(key)
    if (remembered) return remembered
    const prepared = prepare(cubeSchema, request)
    known.set(key, prepared)
    return prepared
  }
}

function prepare({ schema, cubes }: CubeSchema, request: DocumentRequest): readonly PreparedField[] {
  const document = readDocument(schema, request)
  const fields = collectFields([document.operation.selectionSet], document)
  refuseAbove('cubes', fields.filter(({ name }) => name === 'cube').length)
  const ofSchema = introspect(schema, fields.filter(isIntrospection), document)
  return fields.map(field => {
    const { key, name } = field
    if (name !== 'cube') return { key, text: ofSchema.get(key) ?? JSON.stringify('Query') }
    const cube = translateCube(field, document, cubes)
    return { key, cube, parameters: parametersOf(cube) }
  })
}

/** What `load` is asked; frozen, so that it remembers the plan by it. */
function parametersOf({ query, cache }: CubeQuery): object {
  const frozen = deepFreeze({ ...query, responseFormat: 'compact' })
  return Object.freeze({ query: frozen, ...(cache === undefined ? {} : { cache }) })
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
