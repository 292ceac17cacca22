import fc from 'fast-check'
import { withoutCollisions } from './arbitraries.ts'

/** Files by path. The mode is that of an executable where the path is in `executable`. */
export interface Side {
  readonly files: Readonly<Record<string, string>>
  readonly executable: ReadonlySet<string>
}

export interface MergeCase {
  readonly base: Side
  readonly ours: Side
  readonly theirs: Side
}

type Operation =
  | {
      readonly kind: 'edit'
      readonly file: number
      readonly line: number
      readonly remove: number
      readonly add: string[]
    }
  | { readonly kind: 'append'; readonly file: number; readonly text: string }
  | { readonly kind: 'delete'; readonly file: number }
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'rename'; readonly file: number; readonly to: string }
  | { readonly kind: 'chmod'; readonly file: number }
  | { readonly kind: 'bury'; readonly file: number }

const basePaths = ['a.yml', 'c/d.yml', 'c/e.yml', 'f/g/h.yml', 'z']
const word = fc.constantFrom('sum', 'count', 'avg', 'max')
const file = fc.nat({ max: basePaths.length - 1 })
const newLines = fc.array(
  fc.tuple(word, fc.nat({ max: 99 })).map(([kind, number]) => `    ${kind}: ${number}`),
  { maxLength: 3 },
)

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      file,
      line: fc.nat({ max: 13 }),
      remove: fc.nat({ max: 2 }),
      add: newLines,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('append' as const), file, text: fc.constantFrom('x', 'x\n', 'y\r\n') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), file }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      path: fc.constantFrom('new.yml', 'c/new.yml', 'n', 'n/m', 'f/g'),
      text: fc.constantFrom('', 'one\n', 'two\n', 'one\ntwo\n'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      file,
      to: fc.constantFrom('r1', 'r2', 'c/r3.yml', 'q/r4'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('chmod' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bury' as const), file }) },
)

/** A project and what two people did to it. Files share some lines, as models do, but no two are mostly the same. */
export const mergeCase: fc.Arbitrary<MergeCase> = fc
  .tuple(
    fc.array(operation, { minLength: 1, maxLength: 9 }),
    fc.array(operation, { minLength: 1, maxLength: 9 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
    fc.boolean(),
  )
  .map(([ours, theirs, ending, ended]) => {
    const base = { files: baseFiles(ending, ended), executable: new Set<string>() }
    return { base, ours: apply(base, ours, ending), theirs: apply(base, theirs, ending) }
  })

function baseFiles(ending: string, ended: boolean): Record<string, string> {
  return Object.fromEntries(
    basePaths.map((path, index) => {
      const lines = Array.from({ length: 14 }, (_, line) =>
        line % 4 === 3 ? '  - type: number' : `  - name: ${path} has member ${index * line}-${line}`,
      )
      return [path, lines.join(ending) + (ended ? ending : '')]
    }),
  )
}

function apply(base: Side, operations: readonly Operation[], ending: string): Side {
  const files: Record<string, string> = { ...base.files }
  const executable = new Set<string>()
  const current = [...basePaths]
  for (const operation of operations) {
    if (operation.kind === 'add') {
      files[operation.path] ??= operation.text
      continue
    }
    const path = current[operation.file] ?? ''
    const text = files[path]
    if (text === undefined) continue
    switch (operation.kind) {
      case 'edit': {
        const lines = text.split(ending)
        lines.splice(operation.line, operation.remove, ...operation.add)
        files[path] = lines.join(ending)
        break
      }
      case 'append':
        files[path] = text + operation.text
        break
      case 'delete':
        delete files[path]
        break
      case 'chmod':
        executable.add(path)
        break
      case 'rename':
      case 'bury': {
        const to = operation.kind === 'rename' ? operation.to : `${path}/inner`
        if (files[to] !== undefined) break
        delete files[path]
        files[to] = text
        current[operation.file] = to
      }
    }
  }
  return { files: withoutCollisions(files), executable }
}
