import { executeSync, type FieldNode, type GraphQLSchema, Kind, OperationTypeNode } from 'graphql'
import type { SelectedField } from './collect-fields.ts'
import { DocumentProblem, problem } from './document-problem.ts'
import type { ReadDocument } from './read-document.ts'

export const isIntrospection = ({ name }: SelectedField) => name === '__schema' || name === '__type'

/** Fields of the schema itself that one document may ask for beside each other. */
const mostFields = 20

/**
 * Answers what a document asks about the schema.
 *
 * @returns JSON by response key
 * @throws {DocumentProblem}
 */
export function introspect(
  schema: GraphQLSchema,
  fields: readonly SelectedField[],
  document: ReadDocument,
): ReadonlyMap<string, string> {
  if (fields.length === 0) return new Map()
  if (fields.length > mostFields || fields.filter(({ name }) => name === '__schema').length > 1) {
    throw problem(`A document may ask for __schema once, and for ${mostFields} fields of the schema at most.`)
  }
  for (const { selectionSets } of fields)
    for (const { selections } of selectionSets) refuseRenaming(selections, document)
  const selections = fields.map(
    ({ node, selectionSets }): FieldNode => ({
      ...node,
      directives: [],
      selectionSet: { kind: Kind.SELECTION_SET, selections: selectionSets.flatMap(each => each.selections) },
    }),
  )
  const { data, errors } = executeSync({
    schema,
    document: {
      kind: Kind.DOCUMENT,
      definitions: [
        {
          ...document.operation,
          operation: OperationTypeNode.QUERY,
          selectionSet: { kind: Kind.SELECTION_SET, selections },
        },
        ...document.fragments.values(),
      ],
    },
    variableValues: document.given,
  })
  if (errors) throw new DocumentProblem(errors.map(error => error.toJSON()))
  return new Map(Object.entries(data ?? {}).map(([key, value]) => [key, JSON.stringify(value)]))
}

/** Under many names the whole schema could be asked for many times in one document. */
function refuseRenaming(
  selections: SelectedField['selectionSets'][number]['selections'],
  document: ReadDocument,
  visited = new Set<string>(),
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value
      if (visited.has(name)) continue
      visited.add(name)
      refuseRenaming(document.fragments.get(name)?.selectionSet.selections ?? [], document, visited)
      continue
    }
    if (selection.kind === Kind.FIELD && selection.alias) {
      throw problem(`Fields of the schema are asked for by their own names: "${selection.alias.value}" is an alias.`)
    }
    refuseRenaming(selection.selectionSet?.selections ?? [], document, visited)
  }
}
