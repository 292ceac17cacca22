import { durationText } from '../../dbt/texts.ts'
import { orAbsent } from '../../dbt/wait-for-sync.ts'
import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { displayValue, fieldOf, formatCompact, rowsOf } from '../../framework/json.ts'
import type { Output } from '../../framework/output.ts'
import { isBlank, oneCell, printable } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { syncJobArgument } from './job-argument.ts'

export const dbtLogs = command({
  examples: ['hedron dbt logs 1 5800f0941c2b4a7e'],
  arguments: { deployment: deploymentArgument, syncJob: syncJobArgument },
  options: {},
  async run({ deployment, syncJob }, { output, session }) {
    const { client } = await session()
    const log = await orAbsent(client.getDbtSyncLogs({ params: { deploymentId: deployment, syncJobId: syncJob } }))
    if (log === undefined) {
      throw new Failure('dbt_sync_missing', {
        message: `no logs for dbt sync ${syncJob} on deployment ${deployment}. It may belong to another deployment, have aged out, or this server may not serve the dbt sync history endpoints yet`,
      })
    }
    const entries = rowsOf(log)
    output.result(log, () => {
      if (entries.length === 0) output.progress('No log entries', 'dim')
      for (const entry of entries) output.line(lineOf(entry, output))
    })
  },
})

const failing = ['error', 'fatal', 'critical']

function lineOf(entry: unknown, { paint }: Pick<Output, 'paint'>): string {
  const text = (name: string) => displayValue(fieldOf(entry, name))
  const isFailure = failing.includes(text('level').trim().toLowerCase())
  const body = (shown: string) => (isFailure ? paint('red', shown) : shown)
  const message = printable(text('message')).trimEnd()
  if (isBlank(message)) return body(formatCompact(entry))
  const tag = [oneCell(text('phase')), durationText(fieldOf(entry, 'durationMs'))].filter(part => part !== '').join(' ')
  const timestamp = oneCell(text('timestamp'))
  return [timestamp === '' ? '' : paint('dim', timestamp), tag === '' ? '' : paint('cyan', `[${tag}]`), body(message)]
    .filter(part => part !== '')
    .join(' ')
}
