import { Kind, type ObjectFieldNode, type ValueNode } from 'graphql'
import { problem } from './document-problem.ts'

export type VariableInputs = Readonly<Record<string, unknown>>

/**
 * A value as it was written, with the order of its keys, which GraphQL's own coercion loses though sorting depends on it.
 * Numbers are their digits, so that those which no double holds stay what they are. What no variable gives is left out.
 *
 * @throws {DocumentProblem} for a number of the variables that was rounded when they were read
 */
export function readValue(node: ValueNode, variables: VariableInputs): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return fromVariable(variables[node.name.value])
    case Kind.LIST:
      return node.values.map(value => readValue(value, variables) ?? null)
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.flatMap(field => readField(field, variables)))
    case Kind.NULL:
      return null
    case Kind.INT:
    case Kind.FLOAT:
      return /e/i.test(node.value) ? String(Number(node.value)) : node.value
    default:
      return node.value
  }
}

function readField({ name, value }: ObjectFieldNode, variables: VariableInputs): [string, unknown][] {
  const read = readValue(value, variables)
  return read === undefined ? [] : [[name.value, read]]
}

function fromVariable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => fromVariable(item) ?? null)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromVariable(inner)]))
  if (typeof value !== 'number') return value
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw problem(`A variable holds ${value}, an integer that JSON numbers round. Write it in the document instead.`)
  }
  return String(value)
}
