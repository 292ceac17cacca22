import type { ModelPlan } from '@hedron/contract'
import { type Comparison, compareQueries, type NamedQuery } from '../compare/compare-queries.ts'
import { comparisonLines } from '../compare/show-comparisons.ts'
import type { Context } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { oneCell, printable } from '../framework/text.ts'
import { findDashboards, findReports, type UsingDashboard, type UsingReport } from './find-uses.ts'

/** All that `--plan` says. */
export interface ShownPlan extends ModelPlan {
  readonly reports: readonly UsingReport[]
  readonly dashboards: readonly UsingDashboard[]
  /** What the queries of those reports answer before and after. */
  readonly numbers: readonly Comparison[]
}

/** Milliseconds for one query of a report. */
const queryTimeout = 120_000

/** Finds out what a plan means for what was made of the model, and prints it. Nothing is written. */
export async function showPlan(context: Context, deploymentId: number, plan: ModelPlan): Promise<void> {
  const { output } = context
  const shown = { ...plan, ...(await meaningOf(context, deploymentId, plan)) }
  output.result(shown, () => {
    for (const line of linesOf(shown)) output.line(printable(line))
  })
  if (!plan.valid) throw new Failure('model_invalid', { branch: plan.branchName, count: plan.errors.length })
}

async function meaningOf(
  context: Context,
  deploymentId: number,
  plan: ModelPlan,
): Promise<Pick<ShownPlan, 'reports' | 'dashboards' | 'numbers'>> {
  const { client } = await context.session()
  const reports = await findReports(client, deploymentId, plan)
  const dashboards = await findDashboards(client, deploymentId, reports)
  const queries = reports.flatMap((report): NamedQuery[] =>
    report.query === null ? [] : [{ name: nameOf(report), query: report.query }],
  )
  if (queries.length === 0 || plan.planName === null) return { reports, dashboards, numbers: [] }
  const params = { deploymentId }
  const [{ deploymentUrl }, { cubeApiToken }] = await Promise.all([
    client.getDeployment({ params }),
    client.deploymentToken({ params }),
  ])
  const base = deploymentUrl.replace(/\/+$/, '')
  const at = (branch: string) => `${base}/dev-mode/${encodeURIComponent(branch)}`
  const numbers = await compareQueries(context, queries, {
    before: at(plan.branchName),
    after: at(plan.planName),
    token: cubeApiToken,
    timeout: queryTimeout,
  })
  return { reports, dashboards, numbers }
}

const nameOf = ({ id, name }: UsingReport): string => `report ${id} ${name}`.trim()

function linesOf({ branchName, files, members, errors, reports, dashboards, numbers, valid }: ShownPlan): string[] {
  const marked = (mark: string, names: readonly string[]) => names.map(name => `  ${mark} ${name}`)
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...lines])
  const fileLines = [...marked('+', files.added), ...marked('~', files.changed), ...marked('-', files.removed)]
  return [
    ...(fileLines.length === 0 ? [`Nothing would change on branch ${branchName}.`] : [`Files of branch ${branchName}`]),
    ...fileLines,
    ...section('Members', [
      ...marked('+', members.added),
      ...marked('~', members.changed),
      ...marked('-', members.removed),
      ...marked('→', members.affected),
    ]),
    ...section(
      'The model would not compile',
      errors.map(({ fileName, message }) => `  ${fileName === null ? '' : `${fileName}: `}${oneCell(message)}`),
    ),
    ...section(
      'Reports that use what changes',
      reports.map(report => `  ${nameOf(report)}: ${report.members.join(', ')}${report.breaks ? ' (removed)' : ''}`),
    ),
    ...section(
      'Dashboards that show these',
      dashboards.map(
        ({ workbookId, name, reportIds }) => `  workbook ${workbookId} ${name}: report ${reportIds.join(', ')}`,
      ),
    ),
    ...section('Numbers', numbers.length === 0 ? [] : comparisonLines(numbers)),
    ...(valid ? [] : ['']),
  ]
}
