import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Figure } from '../shapes.ts'
import { bench, root } from '../support/paths.ts'
import { ratioOf } from '../support/statistics.ts'
import type { Machine } from './machine.ts'
import { writeHeadlines, writeTable } from './table.ts'

export interface Report {
  readonly measuredAt: Date
  readonly quick: boolean
  readonly machine: Machine
  /** As `loadBefore`, when it had ended; what the measurements themselves ask of the machine is in it. */
  readonly loadAfter: number
  readonly figures: readonly (Figure & { readonly scenario: string })[]
  /** Scenarios whose figures are of a later run. */
  readonly again?: readonly MeasuredAgain[]
}

interface MeasuredAgain {
  readonly scenario: string
  readonly measuredAt: Date
  readonly commit: string
  readonly loadBefore: number
}

/** The table, the machine below it, and what the notes say. */
export function writeReport({ machine, loadAfter, figures, quick, again = [] }: Report): string {
  const { cores, processor, memoryGibibytes, system, node, commit, loadBefore } = machine
  const notes = figures.filter(figure => figure.note !== undefined).map(({ what, note }) => `- ${what}: ${note}`)
  return [
    writeTable(figures),
    '',
    `${processor}, ${cores} cores, ${memoryGibibytes} GiB, ${system}; Node ${node}; commit ${commit}; load ${loadBefore} before, ${loadAfter} after.`,
    ...again.map(
      ({ scenario, measuredAt, commit: later, loadBefore: load }) =>
        `\`${scenario}\` was measured again on ${dayOf(measuredAt)}: commit ${later}; load ${load} before.`,
    ),
    ...(quick ? ['Quick run: few rounds, not for comparison.'] : []),
    '',
    ...notes,
  ].join('\n')
}

/** Writes the JSON. @returns the file */
export async function storeReport(report: Report): Promise<string> {
  const file = join(bench, 'results/latest.json')
  await writeJson(file, report)
  return file
}

/** The figures that the repository keeps. */
export const keptFile = join(root, 'docs/figures.json')

/** Writes what the repository keeps and shows. @returns the files */
export async function keepReport(report: Report): Promise<readonly string[]> {
  await writeJson(keptFile, report)
  return [keptFile, ...(await showFigures(report))]
}

async function writeJson(file: string, report: Report): Promise<void> {
  const figures = report.figures.map(figure => ({ ...figure, ratio: ratioOf(figure) }))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify({ ...report, figures }, rounded, 2)}\n`)
}

const marks = ['<!-- figures of the last full run -->', '<!-- end of figures -->'] as const

/** Puts the table into the page about performance, and its headlines into the README. */
async function showFigures(report: Report): Promise<readonly string[]> {
  const day = dayOf(report.measuredAt)
  const { processor, cores } = report.machine
  return [
    await replaceMarked('docs/performance.md', `Measured ${day}.\n\n${writeReport(report)}`),
    await replaceMarked(
      'README.md',
      `${writeHeadlines(report.figures)}\n\nMedians of ${day} on ${cores} cores (${processor}).`,
    ),
  ]
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** Replaces what stands between the marks of a page. */
async function replaceMarked(path: string, shown: string): Promise<string> {
  const page = join(root, path)
  const text = await readFile(page, 'utf8')
  const [start, end] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (start < 0 || end < start) throw new Error(`${page} has lost the marks that its figures stand between`)
  await writeFile(page, `${text.slice(0, start + marks[0].length)}\n\n${shown}\n\n${text.slice(end)}`)
  return page
}

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
