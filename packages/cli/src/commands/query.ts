import { type Context, command } from '../framework/command.ts'
import { Failure, usage } from '../framework/failure.ts'
import { displayValue, fieldOf } from '../framework/json.ts'
import { commaList, duration, flag, integer, optional, repeated, text, withDefault } from '../framework/parameter.ts'
import { isBlank } from '../framework/text.ts'
import { buildQuery, dateRangeKind, filterKind, orderKind } from '../query/build-query.ts'
import { load } from '../query/load.ts'
import { missingRows } from '../query/missing-rows.ts'
import { resultTables } from '../query/result-table.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { readText } from './shared/read-text.ts'

const builders = [
  'measures',
  'dimensions',
  'segments',
  'timeDimension',
  'granularity',
  'dateRange',
  'order',
  'limit',
  'offset',
  'timezone',
] as const

export const query = command({
  details:
    'Asks the data API of a deployment. The query is JSON (inline, @file or - for the standard input), or made from the options.',
  examples: [
    'hedron query 1 --measures flight_facts.count --dimensions flight_facts.origin_city --order flight_facts.count:desc --limit 10',
    "hedron query 1 --measures flight_facts.count --time-dimension flight_facts.departed_at --granularity month --date-range '2001-01-01,2001-06-30'",
    "hedron query 1 --measures flight_facts.count --filter 'flight_facts.origin_state equals CA,NV' --dev-mode",
    `hedron query 1 '{"measures":["flight_facts.count"]}' --json`,
    'hedron query 1 --measures flight_facts.count --dimensions flight_facts.origin_city --explain',
  ],
  arguments: { deployment: deploymentArgument, query: optional(text('json'), 'the query as JSON, @file or -') },
  options: {
    measures: optional(commaList('a,b'), 'measures'),
    dimensions: optional(commaList('a,b'), 'dimensions'),
    segments: optional(commaList('a,b'), 'segments'),
    timeDimension: optional(text('member'), 'time dimension'),
    granularity: optional(text('unit'), 'second, minute, hour, day, week, month, quarter, year or one of the model'),
    dateRange: optional(dateRangeKind, "such as 'last 7 days', or two dates with a comma"),
    filter: repeated(filterKind, "such as 'flight_facts.origin_code equals LAX,SFO'"),
    order: optional(orderKind, 'such as flight_facts.count:desc'),
    limit: optional(integer('n'), 'rows at most'),
    offset: optional(integer('n'), 'rows to skip'),
    timezone: optional(text('zone'), 'such as Europe/Berlin'),
    explain: flag('say how it is answered and why so, instead of asking'),
    branch: optional(text('branch'), 'ask this branch instead of production'),
    devMode: flag('ask the open dev-mode branch'),
    timeout: withDefault(duration, '5m', 'give up waiting for the answer after this long'),
  },
  exclusive: [['branch', 'devMode']],
  check(input) {
    const built = input.filter.length > 0 || builders.some(name => input[name] !== undefined)
    if (input.query !== undefined && built) throw usage('give the query as JSON or by options, not both')
    if (input.query === undefined && !built) throw usage('give a query as JSON, or with --measures or --dimensions')
    if (input.timeDimension === undefined && (input.granularity !== undefined || input.dateRange !== undefined)) {
      throw usage('--granularity and --date-range need --time-dimension')
    }
    if (input.branch !== undefined && isBlank(input.branch)) throw usage('--branch: an empty value names no branch')
  },
  async run(input, context) {
    const { effects, output } = context
    const { client } = await context.session()
    const asked = input.query === undefined ? buildQuery(input) : await readQuery(input.query, context)
    const params = { deploymentId: input.deployment }
    const [{ deploymentUrl }, { cubeApiToken }, branch] = await Promise.all([
      client.getDeployment({ params }),
      client.deploymentToken({ params }),
      input.devMode ? openDevBranch(input.deployment, context) : input.branch,
    ])
    const base = deploymentUrl.replace(/\/+$/, '')
    const answer = await load(effects, output, {
      action: input.explain ? 'explain' : 'load',
      url: branch === undefined ? base : `${base}/dev-mode/${encodeURIComponent(branch)}`,
      token: cubeApiToken,
      query: asked,
      timeout: input.timeout,
    })
    if (input.explain) {
      return output.result(answer, () => {
        for (const line of explainedLines(answer)) output.line(line)
      })
    }
    output.result(answer, () =>
      resultTables(answer).forEach(({ columns, rows }, index) => {
        if (index > 0) output.line('')
        output.table(columns, rows)
      }),
    )
    for (const line of missingRows(answer)) output.progress(line)
  },
})

/** The sentences of each query's explanation, those of several queries apart. */
function explainedLines(answer: unknown): readonly string[] {
  const explanations = fieldOf(answer, 'explanations')
  return (Array.isArray(explanations) ? explanations : []).flatMap((explanation, index) => {
    const text = fieldOf(explanation, 'text')
    const lines = Array.isArray(text) ? text.map(displayValue) : []
    return index === 0 ? lines : ['', ...lines]
  })
}

async function readQuery(argument: string, { effects }: Pick<Context, 'effects'>): Promise<unknown> {
  const source = await readText(argument, effects)
  try {
    const value: unknown = JSON.parse(source)
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('data_invalid', { option: '<query>', reason: `is not valid JSON: ${reason}` })
  }
  throw new Failure('data_invalid', { option: '<query>', reason: 'must be a JSON object, or an array of them' })
}

/** The branch of the caller's dev-mode session. @throws {Failure} `dev_mode_inactive` */
async function openDevBranch(deployment: number, { session }: Pick<Context, 'session'>): Promise<string> {
  const { client } = await session()
  const { mode, branchName } = await client.buildStatus({ params: { deploymentId: deployment } })
  if (mode !== 'dev_mode') throw new Failure('dev_mode_inactive', { deployment })
  return branchName
}
