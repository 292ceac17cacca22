import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A Python with tree-sitter and its grammar of PowerShell, which `npm test` makes where it is asked for. */
const python = process.env.HEDRON_TEST_PYTHON ?? 'python3'

export const hasGrammar = spawnSync(python, ['-c', 'import tree_sitter_powershell'], { timeout: 60_000 }).status === 0

/** A node of the syntax tree of a script, by the names of the grammar tree-sitter-powershell. */
export interface Syntax {
  readonly type: string
  readonly text: string
  /** Offset in the script, in bytes. */
  readonly start: number
  /** What the grammar cannot read, or finds missing; null where all is well. */
  readonly wrong: 'error' | 'missing' | null
  readonly children: readonly Syntax[]
}

/** A node as powershell.py writes it. */
type Written = [type: string, start: number, end: number, wrong: Syntax['wrong'], children: Written[]]

const parsed = new Map<string, Syntax>()

/** The syntax tree of a script, kept for who asks again: that of a hundred kilobytes takes a second. */
export function parsePowershell(script: string): Syntax {
  const known = parsed.get(script)
  if (known !== undefined) return known
  const syntax = readSyntax(script)
  parsed.set(script, syntax)
  return syntax
}

function readSyntax(script: string): Syntax {
  const bytes = Buffer.from(script)
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'powershell.py')], {
    input: bytes,
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 120_000,
  })
  if (status !== 0) throw new Error(`powershell.py failed: ${stderr.slice(-2000)}`)
  const syntaxOf = ([type, start, end, wrong, children]: Written): Syntax => ({
    type,
    // Read where it is asked for: a script of 100 KB is the text of a thousand nodes above each other's.
    get text() {
      return bytes.toString('utf8', start, end)
    },
    start,
    wrong,
    children: children.map(syntaxOf),
  })
  const written: Written = JSON.parse(stdout)
  return syntaxOf(written)
}

/** A node and all below it, in the order of the text. */
export function withDescendants(node: Syntax): readonly Syntax[] {
  const found: Syntax[] = []
  const collect = (one: Syntax) => {
    found.push(one)
    one.children.forEach(collect)
  }
  collect(node)
  return found
}

export const nodesOf = (node: Syntax, ...types: readonly string[]): readonly Syntax[] =>
  withDescendants(node).filter(({ type }) => types.includes(type))

/** What is no PowerShell, or only that of version 7 (`&&`, `||`; this grammar does not read `??`, `?.` and `a ? b : c` at all). */
export const mistakesOf = (script: Syntax): readonly string[] =>
  withDescendants(script)
    .filter(({ type, wrong }) => wrong !== null || type === 'pipeline_chain_tail')
    .map(({ type, wrong, text }) => `${wrong ?? 'only of version 7'}: ${type} ${text.slice(0, 40)}`)

/** Names of variables in a part of a script, as PowerShell compares them: `env:path`, `place`. */
export const variablesOf = (node: Syntax): readonly string[] =>
  nodesOf(node, 'variable').map(({ text }) => text.replace(/^\$\{?|\}$/g, '').toLowerCase())

/** Commands called by name, each with the parameters that are given by name. */
export const commandsOf = (node: Syntax) =>
  nodesOf(node, 'command').flatMap(command => {
    const name = command.children.find(({ type }) => type === 'command_name')
    const elements = command.children.filter(({ type }) => type === 'command_elements')
    const parameters = elements.flatMap(({ children }) => children.filter(({ type }) => type === 'command_parameter'))
    return name === undefined ? [] : [{ name: name.text, parameters: parameters.map(({ text }) => text.slice(1)) }]
  })

/** Which variables are given a value where, and what the value is made of. */
export const assignmentsOf = (script: Syntax) =>
  nodesOf(script, 'assignment_expression').map(assignment => {
    const [left, ...rest] = assignment.children
    if (left === undefined) throw new Error(`an assignment to nothing: ${assignment.text}`)
    return { to: variablesOf(left), from: rest.flatMap(variablesOf), start: assignment.start, left }
  })

/** Where each variable first gets a value: by assignment, as the variable of a loop or as a parameter. */
export function firstValues(script: Syntax): ReadonlyMap<string, number> {
  const loops = nodesOf(script, 'foreach_statement', 'script_parameter').map(node => ({
    to: node.children.filter(({ type }) => type === 'variable').flatMap(variablesOf),
    start: node.start,
  }))
  const first = new Map<string, number>()
  for (const { to, start } of [...assignmentsOf(script), ...loops]) {
    for (const name of to) first.set(name, Math.min(start, first.get(name) ?? start))
  }
  return first
}

/** All variables that the value of one is made of, also through others. */
export function originsOf(script: Syntax, name: string): ReadonlySet<string> {
  const assignments = assignmentsOf(script)
  const found = new Set<string>()
  const follow = (one: string) => {
    for (const { to, from } of assignments.filter(assignment => assignment.to.includes(one))) {
      for (const origin of from.filter(candidate => !found.has(candidate) && !to.includes(candidate))) {
        found.add(origin)
        follow(origin)
      }
    }
  }
  follow(name)
  return found
}

/** The text of a literal in single quotes. */
export const verbatim = ({ text }: Syntax): string => text.slice(1, -1).replaceAll("''", "'")
