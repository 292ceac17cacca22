import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const home = join(import.meta.dirname, '..')
const readme = readFileSync(join(home, 'README.md'), 'utf8')
const block = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1] ?? ''

test('the example of the README prints what stands below it', { timeout: 30_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedron-readme-'))
  const file = join(folder, 'ask.ts')
  writeFileSync(file, block('ts').replace('@hedron/semantic', join(home, 'src', 'index.ts')))
  try {
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 20_000 })).toBe(block('sql'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.each(['README.md', 'CONTEXT.md', '../../docs/data-model.md', '../../docs/model-code.md'])('%s', name => {
  test('names files that are there', () => {
    const page = readFileSync(join(home, name), 'utf8')
    const links = [...page.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, link = '']) => link)
    const local = links.filter(link => !link.includes('://'))
    expect(local.filter(link => !existsSync(join(home, dirname(name), link)))).toEqual([])
  })
})

describe('paths in words', () => {
  const paths = [...readme.matchAll(/`((?:[\w-]+\/)*[\w-]+\.test\.ts|(?:shapes|messages)\/[\w-]+\.ts)/g)].map(
    ([, path = '']) => path,
  )

  test.each(paths)('%s is there', path => {
    const found = [join(home, path), join(home, 'test', path), join(home, 'src', path)]
    expect(found.some(file => existsSync(file))).toBe(true)
  })
})
