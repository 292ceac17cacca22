import type { Api } from '../support/api.ts'

/** @returns the id of the demo deployment. */
export async function findDemo(api: Api): Promise<number> {
  const { body } = await api.get('/api/v1/deployments')
  const deployments: { id: number; name: string }[] = Object(body.items)
  const demo = deployments.find(({ name }) => name === 'flights')
  if (!demo) throw new Error(`there is no demo among ${JSON.stringify(deployments)}`)
  return demo.id
}
