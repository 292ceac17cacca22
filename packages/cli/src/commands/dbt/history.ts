import { durationText } from '../../dbt/texts.ts'
import { orAbsent } from '../../dbt/wait-for-sync.ts'
import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { displayValue, fieldOf, rowsOf } from '../../framework/json.ts'
import { nonBlank, optional } from '../../framework/parameter.ts'
import { column } from '../../framework/table.ts'
import { isBlank } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

const columns = [
  column('SYNC JOB ID', 'syncJobId'),
  column('STATUS', 'status'),
  column('TRIGGER', 'trigger'),
  column('SOURCE', 'source'),
  column('STARTED', 'startedAt'),
  column('DURATION', row => durationText(fieldOf(row, 'durationMs'))),
  column('BRANCH', 'branchName'),
]

export const dbtHistory = command({
  details: 'Newest first, at most 100 on a page.',
  examples: ['hedron dbt history 1', 'hedron dbt history 1 --status FAILED --first 10'],
  arguments: { deployment: deploymentArgument },
  options: {
    status: optional(
      nonBlank('status', 'names no status'),
      'RUNNING, COMPLETED, FAILED, CANCELLED or UNKNOWN, in capitals',
    ),
    trigger: optional(nonBlank('trigger', 'names no trigger'), 'manual, api, webhook, agent or unknown'),
    ...pagingOptions,
  },
  exclusive: pagingExclusive,
  async run({ deployment, status, trigger, ...paging }, context) {
    const { request } = await context.session()
    const path = `/api/v1/deployments/${deployment}/dbt-sync`
    const filter = { status: status?.trim(), trigger: trigger?.trim() }
    await printList(context, paging, columns, async page => {
      const document = await orAbsent(request('GET', path, { query: { ...filter, ...page } }))
      if (document !== undefined) {
        const rows = rowsOf(document)
        if (
          !context.output.json &&
          rows.length > 0 &&
          rows.every(row => isBlank(displayValue(fieldOf(row, 'syncJobId'))))
        ) {
          context.output.progress(
            'warning: these sync rows name no sync job id — re-run with --json, or update the CLI with `hedron update`',
          )
        }
        return document
      }
      throw new Failure('dbt_sync_missing', {
        message: `no dbt sync history for deployment ${deployment}. The deployment may not exist or may not be visible to this credential, or this server may not serve the dbt sync history endpoints yet`,
      })
    })
  },
})
