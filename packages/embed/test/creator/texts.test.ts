import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { locales } from '../../../ui/src/messages/pick-locale.ts'
import { creatorTexts as english } from '../../src/creator/texts/en-US.ts'

const folder = new URL('../../src/creator/texts/', import.meta.url)
const files = await readdir(folder)

test('there are texts of creator mode in the 12 languages of the interface', () => {
  expect(files.toSorted()).toEqual([...locales].sort().map(locale => `${locale}.ts`))
})

test.each(files.filter(name => name !== 'en-US.ts'))('%s says everything, in words of its own', async name => {
  const { creatorTexts }: { readonly creatorTexts: Readonly<Record<string, string>> } = await import(
    new URL(name, folder).href
  )
  expect(Object.keys(creatorTexts).sort()).toEqual(Object.keys(english).sort())
  for (const [key, words] of Object.entries(creatorTexts)) expect(words.trim(), key).not.toBe('')
  const same = Object.entries(english).filter(([key, words]) => creatorTexts[key] === words)
  // Words that languages share, such as "HTML" and "Text".
  expect(same.length).toBeLessThan(10)
})
