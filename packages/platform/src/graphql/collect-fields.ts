import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { ReadDocument } from './read-document.ts'

/** A field that is asked for, under the name that its answer has, with all that was selected below it. */
export interface SelectedField {
  readonly key: string
  readonly name: string
  /** The first place that asks for it; validation made sure that all have the same arguments. */
  readonly node: FieldNode
  readonly selectionSets: readonly SelectionSetNode[]
}

/** The fields of selection sets that become one object, fragments filled in and directives obeyed, in their order. */
export function collectFields(selectionSets: readonly SelectionSetNode[], document: ReadDocument): SelectedField[] {
  const fields = new Map<string, SelectedField>()
  const visited = new Set<FragmentDefinitionNode>()
  for (const selectionSet of selectionSets) collect(selectionSet)
  return [...fields.values()]

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) spread(document.fragments.get(selection.name.value))
      else add(selection)
    }
  }

  function spread(fragment: FragmentDefinitionNode | undefined): void {
    if (!fragment || visited.has(fragment)) return
    visited.add(fragment)
    collect(fragment.selectionSet)
  }

  function add(node: FieldNode): void {
    const key = node.alias?.value ?? node.name.value
    const known = fields.get(key)
    const below = node.selectionSet ? [node.selectionSet] : []
    fields.set(key, {
      key,
      name: node.name.value,
      node: known?.node ?? node,
      selectionSets: [...(known?.selectionSets ?? []), ...below],
    })
  }

  function isIncluded(node: { readonly directives?: readonly DirectiveNode[] | undefined }): boolean {
    if (!node.directives?.length) return true
    const { variables } = document
    return (
      getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
    )
  }
}
