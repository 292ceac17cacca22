import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFlightsExample } from '@hedron/example-flights'
import { parse } from 'yaml'
import { type Engine, openEngine } from './engine.ts'

/** A question of the suite, and what is right. */
export interface SuiteQuestion {
  readonly ask: string
  /** It goes on from the question before. */
  readonly follows?: true
  /** A query of the data API. */
  readonly query?: unknown
  /** A statement of the SQL API, where no query says it. */
  readonly sql?: string
  /** It is to be refused, or asked back; where a query stands beside it, its answer would be right too. */
  readonly cannot?: true
  /** It asks why: the query is that of the whole whose parts are looked into. */
  readonly why?: true
  readonly chart?: string
  /** Not looked at while the analyst is mended: only its score is printed. */
  readonly held?: true
  /** Of the second set, which was written when the analyst was there, by somebody who did not look at how it reads. */
  readonly second?: true
  /** Of the third set, which came like the second, of kinds of questions that the analyst did not know then. */
  readonly third?: true
}

export interface Suite {
  readonly name: string
  readonly now: Date
  readonly questions: readonly SuiteQuestion[]
  open(): Promise<Engine>
}

const folder = fileURLToPath(new URL('../../../../examples/questions', import.meta.url))

const moments: Readonly<Record<string, string>> = {
  flights: '2026-11-22T12:00:00Z',
  shop: '2025-07-15T10:00:00Z',
  finance: '2024-12-10T10:00:00Z',
  hospital: '2025-03-20T10:00:00Z',
  helpdesk: '2025-09-10T10:00:00Z',
  rentals: '2025-06-05T10:00:00Z',
}

export const suiteNames = Object.keys(moments)

/** A model with its questions (examples/questions). */
export async function readSuite(name: string): Promise<Suite> {
  const now = new Date(moments[name] ?? 0)
  const files = ['questions.yml', 'questions-2.yml', 'questions-3.yml']
  const [first, second, third] = await Promise.all(files.map(file => readQuestions(name, file)))
  const questions = [
    ...(first ?? []),
    ...(second ?? []).map(question => ({ ...question, second: true as const })),
    ...(third ?? []).map(question => ({ ...question, third: true as const })),
  ]
  return {
    name,
    now,
    questions,
    async open() {
      if (name !== 'flights') {
        const content = await readFile(join(folder, name, 'model.yml'), 'utf8')
        return openEngine({ files: [{ path: 'model/model.yml', content }], now })
      }
      const { files, data } = await readFlightsExample()
      const [first = ''] = data.values()
      const models = [...files].filter(([path]) => path.startsWith('model/'))
      return openEngine({
        files: models.map(([path, content]) => ({ path, content })),
        now,
        directory: dirname(first),
      })
    },
  }
}

/** Questions of one file; none where a model has no such file. */
async function readQuestions(name: string, file: string): Promise<readonly SuiteQuestion[]> {
  const path = join(folder, name, file)
  if (!existsSync(path)) return []
  const questions: readonly SuiteQuestion[] = parse(await readFile(path, 'utf8'))
  return questions
}
