import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Figure } from '../shapes.ts'
import { bench, root } from '../support/paths.ts'
import { ratioOf } from '../support/statistics.ts'
import type { Machine } from './machine.ts'
import { writeTable } from './table.ts'

export interface Report {
  readonly measuredAt: Date
  readonly quick: boolean
  readonly machine: Machine
  readonly figures: readonly (Figure & { readonly scenario: string })[]
}

/** The table, the machine below it, and what the notes say. */
export function writeReport({ machine, figures, quick }: Report): string {
  const { cores, processor, memoryGibibytes, system, node, commit, loadBefore } = machine
  const notes = figures.filter(figure => figure.note !== undefined).map(({ what, note }) => `- ${what}: ${note}`)
  return [
    writeTable(figures),
    '',
    `${processor}, ${cores} cores, ${memoryGibibytes} GiB, ${system}; Node ${node}; commit ${commit}; load ${loadBefore} before.`,
    ...(quick ? ['Quick run: few rounds, not for comparison.'] : []),
    '',
    ...notes,
  ].join('\n')
}

/** Writes the JSON. @param save also as the figures that the repository keeps. @returns the files */
export async function storeReport(report: Report, save: boolean): Promise<readonly string[]> {
  const figures = report.figures.map(figure => ({ ...figure, ratio: ratioOf(figure) }))
  const text = `${JSON.stringify({ ...report, figures }, rounded, 2)}\n`
  const files = [join(bench, 'results/latest.json'), ...(save ? [join(root, 'docs/figures.json')] : [])]
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return files
}

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
