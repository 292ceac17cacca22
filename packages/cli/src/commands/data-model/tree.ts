import { fieldOf } from '../../framework/json.ts'

/** A file or folder of the tree, with its path as the server wrote it. */
export interface TreeNode {
  readonly path: string
  readonly isDirectory: boolean
  readonly content: string | undefined
}

/** All nodes of a tree answer, depth first; an answer without `items` or `data` is an empty tree. */
export function treeNodes(document: unknown): readonly TreeNode[] {
  const roots = [fieldOf(document, 'items'), fieldOf(document, 'data')].find(Array.isArray)
  return Array.isArray(roots) ? roots.flatMap(nodesBelow) : []
}

function nodesBelow(node: unknown): readonly TreeNode[] {
  const path = fieldOf(node, 'path')
  if (typeof path !== 'string') return []
  const content = fieldOf(node, 'content')
  const children = fieldOf(node, 'children')
  return [
    {
      path,
      isDirectory: fieldOf(node, 'type') === 'directory',
      content: typeof content === 'string' ? content : undefined,
    },
    ...(Array.isArray(children) ? children.flatMap(nodesBelow) : []),
  ]
}

/** Paths compare without a leading slash: the tree reports `/model/a.yml` and people write either. */
export const samePath = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (path: string): string => path.replace(/^\/+/, '')
