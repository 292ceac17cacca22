import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { checkWait, runArgument, waitOptions } from './arguments.ts'
import { waitAndGrade } from './grade.ts'

const columns = [
  column('ID', 'id'),
  column('STATUS', 'status'),
  column('BRANCH', 'branchName'),
  column('AGENT', 'agentName'),
  column('PASSED', 'accuracy'),
]

export const evalStatus = command({
  details: 'Without --wait the exit code is 0 whatever the state; with it, 0 only if every question passed.',
  examples: ['hedron evals status 1 7', 'hedron evals status 1 7 --wait --timeout 10m'],
  arguments: { deployment: deploymentArgument, run: runArgument },
  options: waitOptions,
  check: checkWait,
  async run({ deployment: deploymentId, run: id, wait, timeout, poll }, context) {
    if (wait) return waitAndGrade(context, { deploymentId, id, timeout, poll })
    const { output, session } = context
    const { client } = await session()
    const status = await client.getEvaluation({ params: { deploymentId, evaluationId: id } })
    output.result(status, () => output.table(columns, [status]))
  },
})
