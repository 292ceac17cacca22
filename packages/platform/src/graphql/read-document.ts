import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { checkDocument, checkText, checkVariables, documentLimits } from './document-limits.ts'
import { DocumentProblem, problem } from './document-problem.ts'
import { readValue, type VariableInputs } from './read-value.ts'

/** What a GraphQL request carries. */
export interface DocumentRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: VariableInputs
}

/** A valid document with the operation that is asked for and its variables. */
export interface ReadDocument {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** As GraphQL coerced them. */
  readonly variables: NonNullable<ReturnType<typeof getVariableValues>['variableValues']>
  /** As they came. */
  readonly given: VariableInputs
  /** As they came or as the document has them otherwise, numbers of the document as their digits. */
  readonly inputs: VariableInputs
}

/** Working out what an unknown name may have meant costs more than all the rest. */
const maxErrors = 5

/** Parses, validates, and reads the variables. @throws {DocumentProblem} with every error found */
export function readDocument(schema: GraphQLSchema, request: DocumentRequest): ReadDocument {
  const document = parseDocument(request.query)
  checkDocument(document)
  const errors = validate(schema, document, undefined, { maxErrors })
  if (errors.length > 0) throw new DocumentProblem(errors.map(error => error.toJSON()))
  const operation = chooseOperation(document, request.operationName)
  const { variableDefinitions = [] } = operation
  checkVariables(request.variables)
  const { variableValues, errors: refused } = getVariableValues(schema, variableDefinitions, request.variables, {
    maxErrors,
  })
  if (!variableValues) throw new DocumentProblem((refused ?? []).map(error => error.toJSON()))
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, readValue(defaultValue, {})]],
  )
  return {
    document,
    operation,
    fragments: new Map(
      document.definitions.flatMap(each => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    ),
    variables: variableValues,
    given: request.variables,
    inputs: { ...Object.fromEntries(defaults), ...request.variables },
  }
}

function parseDocument(text: string): DocumentNode {
  try {
    checkText(text)
    return parse(text, { maxTokens: documentLimits.tokens })
  } catch (error) {
    if (error instanceof GraphQLError) throw new DocumentProblem([error.toJSON()])
    throw error
  }
}

function chooseOperation({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter(each => each.kind === Kind.OPERATION_DEFINITION)
  const named = operations.filter(operation => name === undefined || operation.name?.value === name)
  const [operation, another] = named
  if (operation === undefined) {
    throw problem(name === undefined ? 'Must provide an operation.' : `Unknown operation named "${name}".`)
  }
  if (another !== undefined) throw problem('Must provide operation name if query contains multiple operations.')
  return operation
}
