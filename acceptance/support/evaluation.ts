import { type Api, buildOf } from './api.ts'
import { connect } from './contract-client.ts'
import { createModeler } from './project.ts'

/**
 * Puts five questions whose right answers can't be told on the deploy branch, so that no agent has to be asked.
 *
 * @returns id of an evaluation of them
 */
export async function prepareEvaluation(admin: Api, deploymentId: number): Promise<number> {
  const modeler = await createModeler(admin, deploymentId)
  const { params } = modeler
  await modeler.enter('main')
  const questions = [1, 2, 3, 4, 5].map(
    number => `  - { name: q${number}, question: What?, certifiedQuery: unknown }\n`,
  )
  await modeler.write({ 'agents/eval_questions.yml': `eval_questions:\n${questions.join('')}` })
  await modeler.commit()
  await modeler.client.stopDevMode({ params })
  await buildOf(admin, deploymentId, 'main')
  return (await connect(admin).startEvaluation({ params, body: { branchName: 'main' } })).id
}
