import { command } from '../../framework/command.ts'
import { fieldOf, rowsOf } from '../../framework/json.ts'
import { integer, optional, text } from '../../framework/parameter.ts'
import { shellQuote } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { given } from '../shared/one-request.ts'
import { runArgument } from './arguments.ts'
import { resultColumns } from './grade.ts'

export const evalResults = command({
  details: 'All results without --first. The exit code is 0 whatever the verdicts.',
  examples: ['hedron evals results 1 7', 'hedron evals results 1 7 --json'],
  arguments: { deployment: deploymentArgument, run: runArgument },
  options: {
    first: optional(integer('n'), 'items on the page'),
    after: optional(text('cursor'), 'continue after this cursor, the pageInfo.endCursor of the page before'),
  },
  async run({ deployment: deploymentId, run: id, first, after }, { output, session, effects }) {
    const { client } = await session()
    const params = { deploymentId, evaluationId: id }
    const results = await client.getEvaluationResults({ params, query: given({ first, after }) })
    output.result(results, () => output.table(resultColumns, rowsOf(results)))
    if (output.json || fieldOf(results, 'pageInfo.hasNextPage') !== true) return
    const cursor = fieldOf(results, 'pageInfo.endCursor')
    if (typeof cursor !== 'string' || cursor === '') {
      output.progress('More results are available; use --json to read pageInfo.endCursor')
      return
    }
    const size = first === undefined ? '' : ` --first ${first}`
    const next = `hedron evals results ${deploymentId} ${id}${size} --after ${shellQuote(cursor, effects.platform)}`
    output.progress(`More results: \`${next}\``)
  },
})
