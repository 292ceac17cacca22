import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const read = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .map(path => readFileSync(join(root, folder, path), 'utf8'))

const namesIn = (texts: readonly string[], pattern: RegExp): readonly string[] => [
  ...new Set(texts.flatMap(text => text.match(pattern) ?? [])),
]

const sources = (name: string) => read(`packages/${name}/src`, '.ts')
const readMe = readFileSync(join(root, 'README.md'), 'utf8')
const pages = [...read('docs', '.md'), readMe, readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')]
const variable = /\b(?:HEDRON|CUBEJS|CUBESQL)_[A-Z0-9_]+/g

/** Those that docs name whole, and those of which they name the end: "`CUBEJS_DB_SSL_CA`, `_CERT`". */
const documented = new Set(
  pages
    .flatMap(page => page.split('\n'))
    .flatMap(line => {
      const whole = namesIn([line], variable)
      const ends = [...line.matchAll(/`(_[A-Z0-9_]+)`/g)].map(([, end = '']) => end)
      const starts = whole.flatMap(name => [...name.matchAll(/_/g)].map(({ index }) => name.slice(0, index)))
      return [...whole, ...starts.flatMap(start => ends.map(end => start + end))]
    }),
)

/** Whatever begins so. */
const isDocumented = (name: string) =>
  name.endsWith('_') ? [...documented].some(known => known.startsWith(name)) : documented.has(name)

/** The home page's shell commands call the reader's own token so. */
const inExamples = ['HEDRON_DATA_TOKEN']
/** What the build of the binary puts in, which is no variable of the environment. */
const inBuilds = ['HEDRON_BUILD']

test.each(['cli', 'platform', 'query', 'semantic', 'server', 'sql', 'store'])(
  'every variable that packages/%s names is in docs',
  name => {
    const named = namesIn(sources(name), variable).filter(each => ![...inExamples, ...inBuilds].includes(each))
    expect(named.filter(each => !isDocumented(each))).toEqual([])
  },
)

test('every variable that describes a data source is in docs', () => {
  const named = namesIn(sources('query'), /\bDB_[A-Z0-9_]+[A-Z0-9]\b/g).map(each => `CUBEJS_${each}`)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(each => !isDocumented(each))).toEqual([])
})

test('README.md lists every page of docs', () => {
  const known = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  expect(known.filter(name => !readMe.includes(`](docs/${name})`))).toEqual([])
})

test('CONTRIBUTING.md has every package', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  expect(readdirSync(join(root, 'packages')).filter(name => !page.includes(`| \`${name}\` |`))).toEqual([])
})
