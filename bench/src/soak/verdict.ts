import { alignTable } from '../report/align-table.ts'
import type { Account } from './ledger.ts'
import type { Rest, VitalSigns } from './vital-signs.ts'
import type { World } from './world.ts'

/** What a soak found. */
export interface Verdict {
  readonly isWell: boolean
  /** Markdown: each client, and each thing that must be as it was. */
  readonly text: string
}

interface Findings {
  readonly world: World
  readonly before: Rest
  readonly during: readonly VitalSigns[]
  readonly after: Rest
  readonly exitCode: number | null
  readonly isLong: boolean
}

interface Check {
  readonly what: string
  readonly found: string
  readonly bound: string
  readonly isMet: boolean
}

/** What may be held beyond what was held after the warm-up. */
const moreHeap = 48
const moreResident = 384
const moreDescriptors = 12
/** Milliseconds that work in the background may have been under way for when it fails: what it streams is written as the machine can. */
const longestTurn = 30_000
/** Those that stay for data sources that may be asked again, and one that is kept ready. */
const mostEngines = 9
/** MiB an hour by which the collected heap may rise under load, once the soak is long enough to tell. */
const steepest = 240

export function judgeSoak(findings: Findings): Verdict {
  const { ledger } = findings.world
  const checks = checksOf(findings)
  const clients = [...ledger.accounts].map(([name, account]) => writeAccount(name, account))
  const examples = [...ledger.accounts].flatMap(([name, { examples }]) =>
    examples.map(example => `- ${name}: ${example}`),
  )
  const text = [
    alignTable([['client', 'answers', 'p50', 'p99', 'explained errors', 'breaches'], ...clients]),
    '',
    alignTable([
      ['at the end', 'found', 'bound', ''],
      ...checks.map(({ what, found, bound, isMet }) => [what, found, bound, isMet ? 'yes' : 'NO']),
    ]),
    ...(examples.length === 0 ? [] : ['', ...examples]),
  ].join('\n')
  return { isWell: checks.every(({ isMet }) => isMet), text }
}

function writeAccount(name: string, { answers, latencies, excuses, breachCount }: Account): readonly string[] {
  const sorted = latencies.toSorted((left, right) => left - right)
  const at = (part: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)} ms`
  const explained = [...excuses].map(([fault, count]) => `${count} ${fault}`).join(', ')
  return [name, String(answers), at(0.5), at(0.99), explained, String(breachCount)]
}

function checksOf({ world, before, during, after, exitCode, isLong }: Findings): readonly Check[] {
  const errors = world.server.log().flatMap(line => unexplained(world, JSON.parse(line)))
  const slope = slopeOf(during)
  const silent = [...world.ledger.accounts].filter(([, { answers }]) => answers === 0).map(([name]) => name)
  const difference = (more: number, unit: string) => `${more >= 0 ? '+' : ''}${more.toFixed(1)}${unit}`
  const heap = (after.heapMebibytes ?? 0) - (before.heapMebibytes ?? 0)
  const resident = after.residentMebibytes - before.residentMebibytes
  const descriptors = (after.descriptors ?? 0) - (before.descriptors ?? 0)
  const faults = (['source restarted', 'connections to the source ended', 'variables changed'] as const).map(
    fault => `${world.faults.count(fault)} ${fault}`,
  )
  return [
    check('wrong answers and errors that nothing explains', world.ledger.breaches(), 0),
    { what: 'faults', found: faults.join(', '), bound: '', isMet: true },
    { what: 'clients without any answer', found: silent.join(', '), bound: 'none', isMet: silent.length === 0 },
    {
      what: isLong ? 'queries that run, wait or are held; connections' : 'queries that run or wait; connections',
      found: after.restless.join(', ') || 'none; no more than the pool',
      bound: 'none; the pool',
      isMet: after.restless.length === 0,
    },
    {
      what: 'heap at rest, collected',
      found: `${after.heapMebibytes?.toFixed(1)} MiB, ${difference(heap, ' MiB')}`,
      bound: `at most +${moreHeap} MiB`,
      isMet: heap <= moreHeap,
    },
    {
      what: 'resident memory at rest',
      found: `${after.residentMebibytes.toFixed(0)} MiB, ${difference(resident, ' MiB')}`,
      bound: `at most +${moreResident} MiB`,
      isMet: resident <= moreResident,
    },
    {
      what: 'slope of the collected heap under load',
      found: slope === null ? 'too short to tell' : difference(slope, ' MiB an hour'),
      bound: isLong ? `at most +${steepest}` : '',
      isMet: !isLong || (slope !== null && slope <= steepest),
    },
    {
      what: 'most resident memory under load',
      found: `${Math.round(Math.max(0, ...during.map(signs => signs.residentMebibytes)))} MiB`,
      bound: '',
      isMet: true,
    },
    {
      what: 'processes that compute, at rest',
      found: after.engines ? `${after.engines.count}, ${Math.round(after.engines.residentMebibytes)} MiB` : 'not told',
      bound: `at most ${mostEngines}`,
      isMet: (after.engines?.count ?? 0) <= mostEngines,
    },
    {
      what: 'open files and sockets',
      found: `${after.descriptors}, ${difference(descriptors, '')}`,
      bound: `at most +${moreDescriptors}`,
      isMet: descriptors <= moreDescriptors,
    },
    {
      what: 'errors in the log',
      found: [errors.length, ...errors.slice(0, 3)].join(' '),
      bound: '0',
      isMet: errors.length === 0,
    },
    { what: 'exit code', found: String(exitCode), bound: '0', isMet: exitCode === 0 },
  ]
}

/** An error that was logged and that no fault explains: what nobody waits for, such as a rollup, meets the faults too. */
function unexplained({ faults }: World, { level, time, msg, err }: LogLine): readonly string[] {
  const message = err?.message ?? ''
  const at = time - performance.timeOrigin
  if (level < 50 || faults.explain(message, at - longestTurn, at) !== null) return []
  return [`${new Date(time).toISOString().slice(11, 23)} ${msg}: ${message}`.slice(0, 400)]
}

interface LogLine {
  readonly level: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly msg: string
  readonly err?: { readonly message: string }
}

const check = (what: string, found: number, most: number): Check => ({
  what,
  found: String(found),
  bound: most === 0 ? '0' : `at most ${most}`,
  isMet: found <= most,
})

/** MiB an hour by which the collected heap without the result cache rose, by least squares; null of fewer than six looks. */
function slopeOf(during: readonly VitalSigns[]): number | null {
  const points = during.flatMap(({ at, heapMebibytes, metrics }) =>
    heapMebibytes === null
      ? []
      : [{ x: at / 3_600_000, y: heapMebibytes - (metrics.get('hedron_query_cache_bytes') ?? 0) / 2 ** 20 }],
  )
  if (points.length < 6) return null
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(point => point.x), mean(point => point.y)]
  const spread = mean(point => (point.x - x) ** 2)
  return spread === 0 ? null : mean(point => (point.x - x) * (point.y - y)) / spread
}
