import { expect, test } from 'vitest'
import { buildSourceTree, filePaths, withContents } from '../../src/files/source-tree.ts'

test('a tree has folders first, then files, each by name, with paths from the root', () => {
  expect(buildSourceTree(['z.txt', 'model/b.yml', 'a.txt', 'model/views/v.yml', 'model/a.yml', 'docs/x'])).toEqual([
    { path: '/docs', name: 'docs', type: 'directory', children: [{ path: '/docs/x', name: 'x', type: 'file' }] },
    {
      path: '/model',
      name: 'model',
      type: 'directory',
      children: [
        {
          path: '/model/views',
          name: 'views',
          type: 'directory',
          children: [{ path: '/model/views/v.yml', name: 'v.yml', type: 'file' }],
        },
        { path: '/model/a.yml', name: 'a.yml', type: 'file' },
        { path: '/model/b.yml', name: 'b.yml', type: 'file' },
      ],
    },
    { path: '/a.txt', name: 'a.txt', type: 'file' },
    { path: '/z.txt', name: 'z.txt', type: 'file' },
  ])
  expect(buildSourceTree([])).toEqual([])
})

test('contents are filled in where there are any', () => {
  const tree = buildSourceTree(['a', 'b/c', 'b/link'])
  expect([...filePaths(tree)]).toEqual(['b/c', 'b/link', 'a'])
  const filled = withContents(tree, path => (path === 'b/link' ? undefined : `text of ${path}`))
  expect(filled).toEqual([
    {
      path: '/b',
      name: 'b',
      type: 'directory',
      children: [
        { path: '/b/c', name: 'c', type: 'file', content: 'text of b/c' },
        { path: '/b/link', name: 'link', type: 'file' },
      ],
    },
    { path: '/a', name: 'a', type: 'file', content: 'text of a' },
  ])
})
