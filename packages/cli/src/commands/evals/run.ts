import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { fieldOf } from '../../framework/json.ts'
import { branchName, type Kind, nonBlank, optional, required } from '../../framework/parameter.ts'
import { printable } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { given } from '../shared/one-request.ts'
import { checkWait, waitOptions } from './arguments.ts'
import { waitAndGrade } from './grade.ts'

const agentName: Kind<string> = {
  name: 'agent',
  parse: (text, label) =>
    nonBlank('agent', 'selects no agent and would be sent as an empty filter').parse(text, label).trim(),
}

export const runEval = command({
  details:
    'The questions are in agents/eval_questions.yml or files below agents/eval_questions/. With --wait the exit code is 0 only if every question passed.',
  examples: [
    'hedron evals run 1 --branch main --wait',
    'hedron evals run 1 --branch main --agent sales --file eval_questions/revenue.yml',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    branch: required(branchName, 'branch whose agents, questions and model are used'),
    agent: optional(agentName, 'name of the agent; auto when omitted'),
    file: optional(
      nonBlank('path', "names no file in the deployment's data model repository"),
      'questions of this file below agents/ alone',
    ),
    ...waitOptions,
  },
  check: checkWait,
  async run({ deployment: deploymentId, branch, agent, file, wait, timeout, poll }, context) {
    const { output, session } = context
    const { client } = await session()
    const body = { branchName: branch, ...given({ agentName: agent, questionFile: file }) }
    const started = await client.startEvaluation({ params: { deploymentId }, body })
    const id = Number(fieldOf(started, 'id') ?? Number.NaN)
    if (!Number.isSafeInteger(id)) {
      throw new Failure('unexpected_answer', { message: 'the server started the eval run but returned no run id' })
    }
    if (wait) {
      output.progress(`Eval run ${id} started on ${printable(branch)}`)
      return waitAndGrade(context, { deploymentId, id, timeout, poll })
    }
    output.result(started, () => {
      output.success(`Started eval run ${id} on ${printable(branch)}`)
      output.line(`Watch it with \`hedron evals status ${deploymentId} ${id} --wait\`, or re-run with --wait.`)
    })
  },
})
