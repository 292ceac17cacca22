import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComparedLines, compareLines } from '../../src/git/compared-lines.ts'
import { diffLines } from '../../src/git/diff-lines.ts'
import { histogramDiff } from '../../src/git/histogram-diff.ts'
import { mergeAdded, mergeLines, splitLines, withMarkers } from '../../src/git/merge-lines.ts'
import { settleChanges } from '../../src/git/settle-changes.ts'
import { createRepository } from './git-program.ts'
import { randomNumbers } from './random-history.ts'

const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e'), { maxLength: 40 })

describe('diffLines', () => {
  test('its changes turn one text into the other and leave equal lines between them, with any budget', () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom(0, 20, 200, undefined), (base, other, steps) => {
        const rebuilt: string[] = []
        let position = 0
        for (const { baseStart, baseEnd, start, end } of diffLines(base, other, steps)) {
          expect(baseStart > position || position === 0).toBe(true)
          rebuilt.push(...base.slice(position, baseStart), ...other.slice(start, end))
          position = baseEnd
        }
        rebuilt.push(...base.slice(position))
        expect(rebuilt).toEqual(other)
      }),
      { seed: 3, numRuns: 2_000 },
    )
  })

  test('finds the fewest changes where nothing is rare', () => {
    const base = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? 'a\n' : 'b\n'))
    const other = base.toSpliced(100, 1).toSpliced(200, 0, 'b\n')
    const changes = diffLines(base, other)
    const size = changes.reduce((sum, { baseStart, baseEnd, start, end }) => sum + baseEnd - baseStart + end - start, 0)
    expect(size).toBe(2)
  })

  test('puts an added block of repeated lines as far down as it goes', () => {
    const block = ['- name: x\n', '  type: sum\n', '\n']
    const changes = diffLines([...block, 'end\n'], [...block, ...block, 'end\n'])
    expect(changes).toEqual([{ baseStart: 3, baseEnd: 3, start: 3, end: 6 }])
  })

  test('stops working when its steps are spent, on texts made to be slow', () => {
    const budget = 100_000
    const length = 20_000
    for (const kinds of [1, 2, 7, 400, 100_000]) {
      const random = randomNumbers(kinds)
      const text = () => Array.from({ length }, () => `${random(kinds)}\n`)
      const lines = compareLines(text(), text(), budget)
      let asked = 0
      const counted: ComparedLines = {
        ...lines,
        spend(steps) {
          asked += steps
          return lines.spend(steps)
        },
      }
      histogramDiff(counted)
      settleChanges(counted)
      // Each part that is still open may ask once more, for at most its own length.
      expect(asked).toBeLessThan(budget + 3 * length)
    }
  })
})

describe('splitLines', () => {
  test('keeps every ending', () => {
    expect(splitLines('')).toEqual([])
    expect(splitLines('a')).toEqual(['a'])
    expect(splitLines('a\r\n\nb\r')).toEqual(['a\r\n', '\n', 'b\r'])
    fc.assert(
      fc.property(fc.string(), text => splitLines(text).join('') === text),
      { seed: 4 },
    )
  })
})

describe('mergeLines', () => {
  test('marks conflicts as git merge-file --diff3 does', async () => {
    await using repository = await createRepository()
    const random = randomNumbers(8)
    const base = Array.from({ length: 30 }, (_, index) => `line ${index}\n`)
    let conflicts = 0
    for (let run = 0; run < 60; run++) {
      const edit = (side: string) => {
        const copy = [...base]
        for (let edits = random(4) + 1; edits > 0; edits--) {
          copy.splice(
            random(30),
            random(3),
            ...Array.from({ length: random(3) }, (_, index) => `${side} ${edits} ${index}\n`),
          )
        }
        return random(5) === 0 ? [...copy, `no newline ${side}`] : copy
      }
      const [ours, theirs] = [edit('ours'), edit('theirs')]
      const sides = { ours, base, theirs }
      for (const [name, side] of Object.entries(sides)) await writeFile(join(repository.directory, name), side.join(''))
      const { code, stdout } = await repository.run(['merge-file', '-p', '--diff3', 'ours', 'base', 'theirs'])
      const pieces = mergeLines(base, ours, theirs)
      const found = pieces.filter(piece => piece.kind === 'conflict')
      expect(withMarkers(pieces, { ours: 'ours', base: 'base', theirs: 'theirs' })).toBe(stdout.toString())
      expect(found.length).toBe(code)
      conflicts += code
      for (const { region } of found) {
        const at = (lines: string[], start: number, length: number) => lines.slice(start - 1, start - 1 + length)
        expect(at(base, region.baseStartLine, region.base.length)).toEqual(region.base)
        expect(at(ours, region.oursStartLine, region.ours.length)).toEqual(region.ours)
        expect(at(theirs, region.theirsStartLine, region.theirs.length)).toEqual(region.theirs)
      }
    }
    expect(conflicts).toBeGreaterThan(20)
  })

  test('one side alone, both alike, or neither: no conflict', () => {
    const text = (pieces: ReturnType<typeof mergeLines>) =>
      pieces.map(piece => (piece.kind === 'settled' ? piece.lines.join('') : '!')).join('')
    fc.assert(
      fc.property(lines, lines, (base, other) => {
        expect(text(mergeLines(base, other, base))).toBe(other.join(''))
        expect(text(mergeLines(base, base, other))).toBe(other.join(''))
        expect(text(mergeLines(base, other, other))).toBe(other.join(''))
      }),
      { seed: 9, numRuns: 500 },
    )
  })

  test('a changed last newline is a change like any other', () => {
    expect(mergeLines(['a\n', 'b\n'], ['a\n', 'b'], ['x\n', 'a\n', 'b\n'])).toEqual([
      { kind: 'settled', lines: ['x\n'] },
      { kind: 'settled', lines: ['a\n'] },
      { kind: 'settled', lines: ['b'] },
    ])
  })
})

describe('mergeAdded', () => {
  test('two files without a base differ only where they differ', () => {
    const pieces = mergeAdded(['a\n', 'b\n', 'c\n'], ['a\n', 'x\n', 'c\n'])
    expect(pieces.filter(({ kind }) => kind === 'conflict')).toEqual([
      {
        kind: 'conflict',
        region: { baseStartLine: 1, oursStartLine: 2, theirsStartLine: 2, base: [], ours: ['b\n'], theirs: ['x\n'] },
      },
    ])
  })

  test('an empty one gives way', () => {
    expect(mergeAdded([], ['a'])).toEqual([{ kind: 'settled', lines: ['a'] }])
    expect(mergeAdded(['a'], [])).toEqual([{ kind: 'settled', lines: ['a'] }])
  })
})
