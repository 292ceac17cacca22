import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Figure } from '../shapes.ts'
import type { Machine } from './machine.ts'
import type { Report } from './report.ts'

const Summary = z.object({
  rounds: z.number(),
  median: z.number(),
  p99: z.number(),
  minimum: z.number(),
  maximum: z.number(),
})

const KeptFigure = z.object({
  scenario: z.string(),
  what: z.string(),
  unit: z.enum(['ms', 'files/s', 'requests/s', 'requests', 'rows/s', 'kB', 'MiB']),
  hedron: Summary,
  beside: z.object({ what: z.string(), summary: Summary }).nullable(),
  goal: z.object({ text: z.string(), met: z.boolean() }).nullable(),
  note: z.string().exactOptional(),
  isHeadline: z.boolean().exactOptional(),
}) satisfies z.ZodType<Figure & { readonly scenario: string }>

const KeptMachine = z.object({
  cores: z.number(),
  processor: z.string(),
  memoryGibibytes: z.number(),
  system: z.string(),
  node: z.string(),
  commit: z.string(),
  loadBefore: z.number(),
}) satisfies z.ZodType<Machine>

/** What `storeReport` writes. */
const KeptReport = z.object({
  measuredAt: z.coerce.date(),
  quick: z.boolean(),
  machine: KeptMachine,
  loadAfter: z.number(),
  figures: z.array(KeptFigure),
  again: z
    .array(z.object({ scenario: z.string(), measuredAt: z.coerce.date(), commit: z.string(), loadBefore: z.number() }))
    .optional(),
})

/** The figures that the repository keeps. @throws where there are none, or they are of another form */
export const readKeptReport = async (file: string): Promise<Report> => {
  const { again = [], ...report } = KeptReport.parse(JSON.parse(await readFile(file, 'utf8')))
  return { ...report, again }
}

/** @throws where figures of these machines can't stand in one table */
export function refuseOtherMachine({ machine: old }: Report, now: Machine): void {
  if (old.cores === now.cores && old.processor === now.processor && old.node === now.node) return
  throw new Error(
    `The kept figures are of ${old.cores} cores of ${old.processor} with Node ${old.node}, these would be of ${now.cores} of ${now.processor} with ${now.node}: keep a full run.`,
  )
}

/** The kept figures with those of some scenarios that were measured again, in the places of the old ones. */
export function withScenarios(kept: Report, measured: Report): Report {
  const names = [...new Set(measured.figures.map(({ scenario }) => scenario))]
  const of = (name: string) => measured.figures.filter(({ scenario }) => scenario === name)
  const placed = new Set<string>()
  const figures = kept.figures.flatMap(figure => {
    if (!names.includes(figure.scenario)) return [figure]
    if (placed.has(figure.scenario)) return []
    placed.add(figure.scenario)
    return of(figure.scenario)
  })
  const added = names.filter(name => !placed.has(name)).flatMap(of)
  const { commit, loadBefore } = measured.machine
  const again = names.map(scenario => ({ scenario, measuredAt: measured.measuredAt, commit, loadBefore }))
  const others = (kept.again ?? []).filter(({ scenario }) => !names.includes(scenario))
  return { ...kept, figures: [...figures, ...added], again: [...others, ...again] }
}
