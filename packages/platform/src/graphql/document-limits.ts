import { type DocumentNode, Kind, Lexer, type SelectionSetNode, Source, TokenKind } from 'graphql'
import { problem } from './document-problem.ts'

/** What a document may hold. Large enough for what tools send, small enough that checking one takes milliseconds. */
export const documentLimits = {
  characters: 256 * 1024,
  tokens: 10_000,
  /** Of brackets of any kind. */
  nesting: 64,
  fields: 1000,
  fragments: 100,
  operations: 50,
  /** Of fields inside each other, through fragments. Tools ask for a schema 15 deep. */
  depth: 20,
  /** Fields once every fragment stands where it is named. */
  expandedFields: 5000,
  /** `cube` fields, each of which is a query. */
  cubes: 10,
  /** In its variables: several for each condition that a query may have. */
  objects: 10_000,
} as const

const openers = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closers = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Before a document is parsed, which nests as deep as the document does. @throws {DocumentProblem}, GraphQLError for bad characters */
export function checkText(text: string): void {
  refuseAbove('characters', text.length)
  const lexer = new Lexer(new Source(text))
  let nesting = 0
  for (let tokens = 1; lexer.advance().kind !== TokenKind.EOF; tokens++) {
    refuseAbove('tokens', tokens)
    const { kind } = lexer.token
    if (openers.has(kind)) refuseAbove('nesting', ++nesting)
    else if (closers.has(kind)) nesting--
  }
}

/** Before variables are compared with their types, object by object. @throws {DocumentProblem} */
export function checkVariables(variables: object): void {
  let objects = 0
  const waiting: unknown[] = [variables]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) refuseAbove('objects', ++objects)
    for (const inner of Object.values(value)) if (typeof inner === 'object') waiting.push(inner)
  }
}

/** Before a document is validated, which compares fields with each other. @throws {DocumentProblem} */
export function checkDocument(document: DocumentNode): void {
  const { definitions } = document
  const fragments = new Map(
    definitions.flatMap(each => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet]] : [])),
  )
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  refuseAbove('fragments', definitions.length - operations.length)
  refuseAbove('operations', operations.length)
  const known = new Map<string, Extent>()
  let written = 0

  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue
    const { depth, fields } = extentOf(definition.selectionSet)
    refuseAbove('depth', depth)
    refuseAbove('expandedFields', fields)
  }

  function extentOf({ selections }: SelectionSetNode): Extent {
    const extents = selections.map((selection): Extent => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return extentOf(selection.selectionSet)
      if (selection.kind === Kind.FRAGMENT_SPREAD) return extentOfFragment(selection.name.value)
      refuseAbove('fields', ++written)
      const inner = selection.selectionSet ? extentOf(selection.selectionSet) : nothing
      return { depth: inner.depth + 1, fields: inner.fields + 1 }
    })
    return {
      depth: Math.max(0, ...extents.map(({ depth }) => depth)),
      fields: extents.reduce((sum, { fields }) => sum + fields, 0),
    }
  }

  function extentOfFragment(name: string): Extent {
    const extent = known.get(name)
    if (extent) return extent
    const selectionSet = fragments.get(name)
    if (!selectionSet) return nothing
    // What names itself again counts for nothing there: validation refuses it.
    known.set(name, nothing)
    const before = written
    const found = extentOf(selectionSet)
    written = before
    known.set(name, found)
    return found
  }
}

interface Extent {
  readonly depth: number
  readonly fields: number
}

const nothing: Extent = { depth: 0, fields: 0 }

const described = {
  characters: 'characters',
  tokens: 'tokens',
  nesting: 'brackets inside each other',
  fields: 'fields',
  fragments: 'fragments',
  operations: 'operations',
  depth: 'fields inside each other',
  expandedFields: 'fields with its fragments filled in',
  cubes: '`cube` fields',
  objects: 'objects in its variables',
} as const

export function refuseAbove(limit: keyof typeof documentLimits, count: number): void {
  if (count <= documentLimits[limit]) return
  throw problem(`The document is too large: it may have at most ${documentLimits[limit]} ${described[limit]}.`)
}
