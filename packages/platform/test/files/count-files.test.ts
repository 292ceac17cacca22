import { expect, test } from 'vitest'
import { createCheckProjectSize } from '../../src/files/count-files.ts'
import { editTree, type ObjectId, writeTree } from '../../src/git/index.ts'
import { memoryObjects } from '../git/memory-objects.ts'

async function project(count: number) {
  const objects = memoryObjects()
  const paths = Array.from({ length: count }, (_, index) => [`d${index % 10}/e${index % 3}/f${index}`, ''] as const)
  const { treeId, objects: trees } = await writeTree(objects.files(Object.fromEntries(paths)))
  objects.add(trees)
  const edit = async (tree: ObjectId, files: Readonly<Record<string, string | null>>) => {
    const blob = objects.addBlob('')
    const edits = Object.entries(files).map(([path, text]) => [path, text === null ? null : { id: blob }] as const)
    const edited = await editTree(objects, tree, new Map(edits))
    objects.add(edited.objects)
    return edited.treeId
  }
  return { objects, treeId, edit }
}

test('a project may have as many files as the limit, and not one more', async () => {
  const { objects, treeId, edit } = await project(99)
  const check = createCheckProjectSize(100)
  const full = await edit(treeId, { 'd1/e1/more': '' })
  await check(objects, treeId, full)
  const over = await edit(full, { 'one/too/many': '' })
  await expect(check(objects, full, over)).rejects.toMatchObject({ code: 'project_too_large' })
  await expect(check(objects, treeId, over)).rejects.toThrow('100 files')
})

test('one that is over the limit already can be changed and made smaller', async () => {
  const { objects, treeId, edit } = await project(120)
  const check = createCheckProjectSize(100)
  await check(objects, treeId, await edit(treeId, { 'd0/e0/f0': null }))
  await check(objects, treeId, await edit(treeId, { 'd0/e0/f0': null, other: '' }))
  await expect(check(objects, treeId, await edit(treeId, { other: '' }))).rejects.toMatchObject({
    code: 'project_too_large',
  })
})

test('folders that were counted are not read again', async () => {
  const { objects, treeId, edit } = await project(99)
  const check = createCheckProjectSize(1000)
  await check(objects, treeId, treeId)
  const edited = await edit(treeId, { 'd1/e1/more': '' })
  objects.asked.ids = 0
  await check(objects, treeId, edited)
  expect(objects.asked.ids).toBeLessThan(10)
})
