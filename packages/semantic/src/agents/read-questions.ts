import { listOf, optional, type Reader, readMap, required, wrongType } from '../parse/fields.ts'
import { isMap, type ModelSource, type SourceMap } from '../parse/source-node.ts'
import type { EvalQuestion } from '../shapes/agents.ts'
import type { Located } from '../shapes/tree.ts'
import { label, words } from './agent-fields.ts'
import { nameIn } from './read-items.ts'

/** A question of a file, before it is known whether its space is there. */
export interface QuestionSpec extends Omit<EvalQuestion, 'name' | 'space'> {
  readonly name: Located<string>
  /** Null: the folder says, or `auto`. */
  readonly space: Located<string> | null
}

type Question = Omit<QuestionSpec, 'space'>

const questionFields = {
  name: required(label),
  question: required(words),
  certifiedQuery: optional(label),
  sql: optional(words),
}

const question: Reader<Question> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a list of maps', source)
  const read = readMap(value, `the question '${nameIn(value) ?? ''}'`, { fields: questionFields }, source)
  if (!read) return undefined
  const { name, certifiedQuery, sql } = read
  const truth = truthOf(certifiedQuery?.value ?? null, sql)
  if (truth) return { name, question: read.question, truth, at: name.at }
  source.log.report(name.at, 'agents_truth', { question: name.value })
  return undefined
}

function truthOf(certifiedQuery: string | null, sql: string | null): EvalQuestion['truth'] | undefined {
  if (certifiedQuery !== null) return sql === null ? { certifiedQuery } : undefined
  return sql === null || sql.trim() === '' ? undefined : { sql }
}

const fileFields = { space: optional(label), evalQuestions: required(listOf(question)) }

/** Reads a file of questions for evaluations. `undefined` where a problem was reported. */
export function readQuestions(root: SourceMap, path: string, source: ModelSource): readonly QuestionSpec[] | undefined {
  const read = readMap(root, `'${path}'`, { fields: fileFields }, source)
  return read?.evalQuestions.map(each => ({ ...each, space: read.space }))
}
