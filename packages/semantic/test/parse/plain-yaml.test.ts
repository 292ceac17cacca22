import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProblemLog } from '../../src/messages/model-messages.ts'
import { readPlainYaml } from '../../src/parse/plain-yaml.ts'
import type { ModelSource, SourceNode } from '../../src/parse/source-node.ts'
import { openYaml, openYamlDocument } from '../../src/parse/yaml-source.ts'

const root = join(import.meta.dirname, '../../../..')
// Lists of questions are no models, and nearly as large as all of them.
const files = globSync('{packages,examples,acceptance}/**/*.{yml,yaml,yml.txt}', {
  cwd: root,
  exclude: path => path.includes('node_modules') || /questions(-\d+)?\.yml$/.test(path),
}).map(path => ({ path, content: readFileSync(join(root, path), 'utf8') }))

/** Every way to write what model files hold. */
const plain = [
  `cubes:
- name: orders # indentless list
  sql: >
    select a
    from b

      more indented
    end
  description: several
    lines of

    plain text
  title: 'it''s'
  meta: {a: 1, b: [x, "y", -2.50], c: {d: true}}
  joins:
    -   name: users
        sql: |-
          {CUBE}.id = {users.id}

          and true
        relationship: many_to_one
    # a comment
  dimensions:
    - name: id
      sql: "\\"id\\" || 'x'"
      type: number
      values: [
        a,
        b,
      ]
      format: '$,.2f'
  # less indented
views:
    - name: v
      description: "several
        lines

        quoted"
      title: 'also
        here
        '
      folders: []
      d: 2024-01-01
      t: ~
      s: a:b #c
      u: http://x/y#z
      k: [a b, c.d, 'e, f']
`,
  '# comment\n---\n# another\nviews:\n  - name: a\n',
]
/** For the library alone. */
const others = [
  'k: -\n\n  -',
  'cubes:\n  - name: a\n    meta: { n: 007, e: 1e3 }\n    empty:\n    tagged: !!str 1\n    block: |+\n      a\n\n',
]
const corpus = [...files.map(({ content }) => content), ...plain, ...others]

/** Both ways to read a text: what a client of the source sees, or null where there is a problem. */
function seen(source: ModelSource | null) {
  if (source === null || source.log.problems.length > 0) return null
  if (source.root === null) return { root: null, places: [] }
  const places: unknown[] = []
  const walk = (node: SourceNode): void => {
    places.push(source.at(node))
    if (node.kind === 'list') node.items.forEach(walk)
    if (node.kind === 'map') {
      for (const { key, value } of node.entries) {
        walk(key)
        walk(value)
      }
    }
    if (node.kind === 'scalar') places.push(['{CUBE}', 'a', 'a', '}'].map(source.locator(node)))
  }
  walk(source.root)
  return { root: source.root, places }
}

/** @returns whether the fast reader took it */
function check(content: string): boolean {
  const file = { path: 'model/a.yml', content }
  if (readPlainYaml(content) === null) return false
  expect(seen(openYaml(file, createProblemLog()))).toEqual(seen(openYamlDocument(file, createProblemLog())))
  return true
}

/** What a hand that slips writes. */
const slips = [
  ...' \n:-#\'"|>{}[],&*!?%@~`\\\t\r0a',
  '\n\n',
  '\n ',
  '\n  ',
  '  ',
  ': ',
  ' :',
  '- ',
  ' #',
  ' # c\n',
  '\n# c\n',
  '\n      # c\n',
  '---\n',
  '...\n',
  '|\n',
  '>\n',
  '>-',
  '|+',
  '|2',
  '""',
  "''",
  "'",
  '\\n',
  '<<: ',
  'null',
  'true: ',
  'a: ',
  '\n    b',
  '\u00a0',
  '\u2028',
  '\u0085',
  '\ufeff',
  '-1',
  '.5',
  '+1',
  '0x1',
  '1_0',
  '-0',
]

interface Edit {
  readonly place: number
  readonly removed: number
  readonly text: string
}

const slip = fc.record({
  file: fc.nat({ max: corpus.length - 1 }),
  lines: fc.nat({ max: 200 }),
  edits: fc.array(
    fc.record({ place: fc.nat({ max: 5_000 }), removed: fc.nat({ max: 6 }), text: fc.constantFrom('', ...slips) }),
    { maxLength: 2 },
  ),
})

function slipped(given: { file: number; lines: number; edits: readonly Edit[] }): string {
  const all = (corpus[given.file] ?? '').split('\n')
  let text = all.slice(0, 1 + (given.lines % all.length)).join('\n')
  for (const { place, removed, text: inserted } of given.edits) {
    const at = place % (text.length + 1)
    text = text.slice(0, at) + inserted + text.slice(at + removed)
  }
  return text
}

describe('the fast reader of YAML declines, or reads what the library reads, to the last place', () => {
  test.each(corpus.map((content, index) => ({ of: files[index]?.path ?? 'all that it reads', content })))(
    '$of',
    ({ content }) => {
      check(content)
    },
  )

  test('files in which a hand slipped', () => {
    let taken = 0
    const runs = 2_000
    fc.assert(
      fc.property(slip, input => {
        if (check(slipped(input))) taken += 1
      }),
      { numRuns: runs },
    )
    // Else this says nothing.
    expect(taken).toBeGreaterThan(runs / 4)
  })

  test('texts made of pieces', () => {
    const piece = fc.constantFrom(
      ...slips,
      'a',
      'b',
      'key',
      '\n',
      '\n  ',
      '\n    ',
      '\n  - ',
      'a: b',
      '[a, b]',
      '{ a: b }',
      '"x"',
      "'y'",
      '12',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), pieces => {
        check(`k: ${pieces.join('')}`)
        check(`l:\n  - ${pieces.join('')}\n`)
      }),
      { numRuns: 4_000 },
    )
  })
})

test('the models of this repository are for the fast reader', () => {
  const isModel = (path: string) => !path.endsWith('.txt') && !path.endsWith('/queries.yml')
  const models = files.filter(({ path, content }) => isModel(path) && !/\{[{%]/.test(content))
  expect(models.filter(({ content }) => readPlainYaml(content) === null).map(({ path }) => path)).toEqual([])
  expect(models.length).toBeGreaterThan(5)
  expect(plain.every(check)).toBe(true)
  expect(others.some(check)).toBe(false)
})
