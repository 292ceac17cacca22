import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileModel } from '../../src/index.ts'

const tests = join(import.meta.dirname, '..')

export interface Corpus {
  /** Files of models that compile by themselves. */
  readonly sound: readonly string[]
  /** These and all others, broken ones among them. */
  readonly all: readonly string[]
}

/** Every model file among the tests: what mutations begin with. Large ones are left out. */
export function readCorpus(): Corpus {
  const files = globSync('**/*.{yml,yml.txt,yaml,jinja}', { cwd: tests }).toSorted()
  const all = files
    .map(file => readFileSync(join(tests, file), 'utf8'))
    .filter(text => text.length > 0 && text.length < 12_000)
  const isSound = (content: string) => compileModel([{ path: 'model/model.yml', content }]).model !== null
  return { sound: all.filter(isSound), all }
}

/** Words of the language and of its neighbours, and what has been trouble to parsers before. */
export const words: readonly string[] = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8')
  .trim()
  .split(/\s+/)
