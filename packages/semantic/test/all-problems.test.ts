import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isMap, isSeq, parseDocument } from 'yaml'
import { compileModel, type ModelProblem } from '../src/index.ts'

/**
 * "All of a model's errors at once": a model with a name that leads nowhere in each of its constructs (`wrong_1`, `wrong_2` …), in
 * which one value after the other is made unreadable too. Whatever that is, all other names are still told, and of what follows
 * from it nothing is.
 */
const text = readFileSync(join(import.meta.dirname, 'fixtures/wrong-everywhere.yml.txt'), 'utf8')

const problemsOf = (content: string) => compileModel([{ path: 'model/model.yml', content }]).problems
const wrongName = ({ message }: ModelProblem) => /wrong_\d+/.exec(message)?.[0]
const wrongNames = (problems: readonly ModelProblem[]) => new Set(problems.flatMap(problem => wrongName(problem) ?? []))
const allNames = new Set(text.match(/wrong_\d+/g))

type Path = readonly (string | number)[]

function pathsBelow(node: unknown, path: Path = []): Path[] {
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) => {
      const here = [...path, String(key)]
      return [here, ...pathsBelow(value, here)]
    })
  }
  if (isSeq(node)) return node.items.flatMap((item, at) => [[...path, at], ...pathsBelow(item, [...path, at])])
  return []
}

const here = 'broken_here'
const broken = { map: { [here]: [1] }, text: `${here} !`, list: [{ [here]: 1 }] }
type Kind = keyof typeof broken

/** Lists of definitions with names: what has none of them can't be told from what others refer to. */
const lists = [
  'cubes',
  'views',
  'view_groups',
  'joins',
  'dimensions',
  'measures',
  'segments',
  'hierarchies',
  'pre_aggregations',
]
/** What says which definitions, and which members of them, there are. */
const naming = ['name', 'extends', 'join_path', 'includes', 'prefix', 'alias']
const isNaming = (path: Path) => {
  const [last, before] = [path.at(-1), path.at(-2)]
  if (lists.includes(String(last)) || (typeof last === 'number' && lists.includes(String(before)))) return true
  return naming.includes(String(last)) || (typeof last === 'number' && before === 'includes')
}

/** Names that are written in the value, or beside it in an item of a list that has no name. */
function namesBeside(path: Path): ReadonlySet<string> {
  const document = parseDocument(text)
  const items = path.flatMap((part, at) => (typeof part === 'number' ? [path.slice(0, at + 1)] : []))
  const nameless = items.filter(item => document.getIn([...item, 'name']) === undefined && item.length > 2)
  const around = [path, ...nameless.slice(-1)]
  const written = around.map(each => JSON.stringify(document.getIn(each, true)) ?? '').join()
  return new Set(written.match(/wrong_\d+/g))
}

function breakAt(path: Path, kind: Kind) {
  const document = parseDocument(text)
  document.setIn(path, document.createNode(broken[kind]))
  const content = document.toString({ lineWidth: 0 })
  const line = content.split('\n').findIndex(written => written.includes(here)) + 1
  return { problems: problemsOf(content), line }
}

const breaks = pathsBelow(parseDocument(text).contents)
  .filter(path => !isNaming(path))
  .flatMap(path => (['map', 'text', 'list'] as const).map(kind => ({ path, kind, ...breakAt(path, kind) })))

test('a model with a wrong name in every construct: each is told, and nothing else', () => {
  const problems = problemsOf(text)
  expect(problems.filter(problem => !wrongName(problem))).toEqual([])
  expect(wrongNames(problems)).toEqual(allNames)
})

test("all of a model's errors at once: what can't be read hides none of the others", () => {
  const hidden = breaks.flatMap(({ path, kind, problems }) => {
    const told = wrongNames(problems)
    const beside = namesBeside(path)
    const missing = [...allNames].filter(name => !told.has(name) && !beside.has(name))
    return missing.length > 0 ? [`${path.join('.')} as ${kind}: ${missing.join(' ')}`] : []
  })
  expect(hidden).toEqual([])
})

/** Other text is a value like any other in these. */
const isAnotherValue = (path: Path, kind: Kind) => kind === 'text' && path.includes('values')
/** Of a value that is a map: what is in it, and what is not. */
const ofItself = ['unknown_key', 'required']

test("nothing is told but what is wrong: what can't be read seems to be missing nowhere", () => {
  const extra = breaks.flatMap(({ path, kind, problems, line }) => {
    if (isAnotherValue(path, kind)) return []
    const others = problems.filter(problem => !wrongName(problem) && !ofItself.includes(problem.code))
    const away = others.filter(problem => Math.abs(problem.line - line) > 1)
    const more = others.length > 1 ? others : away
    return more.length > 0 ? [`${path.join('.')} as ${kind}: ${more.map(({ message }) => message).join(' | ')}`] : []
  })
  expect(extra).toEqual([])
})
