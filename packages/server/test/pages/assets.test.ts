import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readAssets } from '../../src/pages/assets.ts'

const hashOf = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hedron-assets-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return readAssets(pathToFileURL(`${folder}/`)).hash
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the hash follows every served name and byte, and nothing else', () => {
  const hash = hashOf({ 'a.js': 'one', 'b.css': 'two' })
  expect(hashOf({ 'b.css': 'two', 'a.js': 'one', 'notes.md': 'not served' })).toBe(hash)
  const others = [
    { 'a.js': 'one', 'b.css': 'too' },
    { 'a.js': 'one', 'c.css': 'two' },
    { 'a.js': 'one' },
    { 'a.js': 'onetwo', 'b.css': '' },
  ]
  expect(new Set([hash, ...others.map(hashOf)]).size).toBe(5)
})

test('an asset that is not there is a mistake of ours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedron-assets-'))
  try {
    expect(() => readAssets(pathToFileURL(`${folder}/`)).url('home.js')).toThrow('"home.js"')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
