import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDataFolders } from '../src/data-folders.ts'
import { provideDataFiles } from '../src/demo-data.ts'
import { readOrMakeSecretKey } from '../src/secret-key.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hedron-server-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('data folders of deployments', () => {
  test('are made once, kept apart, and removed with what is in them', async () => {
    const folders = createDataFolders(directory)
    await folders.make(1)
    await folders.make(2)
    await writeFile(join(folders.pathOf(1), 'orders.csv'), 'id\n1\n')
    await folders.make(1)
    expect(await readdir(folders.pathOf(1))).toEqual(['orders.csv'])
    await folders.remove(1)
    expect(await readdir(join(directory, 'deployments'))).toEqual(['2'])
    await folders.remove(1)
  })

  test('get the demo data whole, and again when a file was cut off', async () => {
    const source = join(directory, 'source.csv')
    await writeFile(source, 'id\n1\n2\n')
    const folder = createDataFolders(directory).pathOf(3)
    const files = new Map([['flights.csv', source]])
    await provideDataFiles(folder, files)
    await writeFile(join(folder, 'flights.csv'), 'id')
    await provideDataFiles(folder, files)
    expect(await readFile(join(folder, 'flights.csv'), 'utf8')).toBe('id\n1\n2\n')
    expect(await readdir(folder)).toEqual(['flights.csv'])
  })
})

describe('the secret key', () => {
  test('is made once, even by several starts at once, for the owner alone', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => readOrMakeSecretKey(join(directory, 'data'))))
    expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(1)
    expect(keys[0]?.length).toBe(32)
    expect(await readdir(join(directory, 'data'))).toEqual(['secret.key'])
  })

  test('is never written over: one that cannot be read is told', async () => {
    await writeFile(join(directory, 'secret.key'), 'garbled')
    await expect(readOrMakeSecretKey(directory)).rejects.toThrow('does not hold a key of 64 hexadecimal digits')
    expect(await readFile(join(directory, 'secret.key'), 'utf8')).toBe('garbled')
  })
})
