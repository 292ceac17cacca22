import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeReplaced, replaceProgram } from '../../src/update/replace-program.ts'
import { versionLine } from '../../src/version.ts'

let folder = ''
let program = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedron-replace-'))
  program = join(folder, 'hedron.exe')
  await writeFile(program, 'the old one', { mode: 0o755 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const saying = (line: string) => Buffer.from(`#!/bin/sh\necho '${line}'\n`)
const ofVersion = (version: string) => saying(versionLine.replace(/\S+$/, version))

describe('on Windows, where a program that runs can be moved but not overwritten', () => {
  test('the old one is moved away, and removed at the next start', async () => {
    await replaceProgram(program, ofVersion('9.9.9'), '9.9.9', 'win32')
    expect((await readdir(folder)).sort()).toEqual(['hedron.exe', 'hedron.exe.old'])
    expect(await readFile(join(folder, 'hedron.exe.old'), 'utf8')).toBe('the old one')
    await removeReplaced(program)
    expect(await readdir(folder)).toEqual(['hedron.exe'])
    await removeReplaced(program)
  })

  test('one that an update before left is replaced too', async () => {
    await writeFile(`${program}.old`, 'older')
    await replaceProgram(program, ofVersion('9.9.9'), '9.9.9', 'win32')
    expect(await readFile(`${program}.old`, 'utf8')).toBe('the old one')
  })
})

test.each(['linux', 'win32'] as const)(
  'on %s a program that does not start as its version replaces nothing',
  async platform => {
    for (const bytes of [ofVersion('1.1.1'), saying('hello'), Buffer.from('no program')]) {
      await expect(replaceProgram(program, bytes, '9.9.9', platform)).rejects.toThrow()
      expect(await readdir(folder)).toEqual(['hedron.exe'])
      expect(await readFile(program, 'utf8')).toBe('the old one')
    }
  },
)
