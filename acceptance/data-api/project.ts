import { type Api, buildOf, createDeployment, createKey } from '../support/api.ts'

/** Path of a model file to its text. */
export type ProjectFiles = Readonly<Record<string, string>>

/** A new deployment whose production answers from exactly these files. @returns its id. */
export async function createProject(
  api: Api,
  files: ProjectFiles,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const id = await createDeployment(api)
  await setVariables(api, id, variables)
  const author = api.with(await createKey(api))
  const branchName = await enterDevMode(author, id)
  const base = `/build/api/v1/deployments/${id}`
  const starter = await author.request('DELETE', `${base}/data-model/files`, {
    branchName,
    files: [{ path: 'model/cubes/example_orders.yml' }],
  })
  if (starter.status !== 200) throw new Error(`the starter was not removed: ${JSON.stringify(starter.body)}`)
  await putFiles(author, id, branchName, files)
  const committed = await author.post(`${base}/commit`, { branchName, exitDevMode: true })
  if (committed.status !== 200) throw new Error(`nothing was committed: ${JSON.stringify(committed.body)}`)
  const { body } = await buildOf(api, id)
  if (String(body.status) !== 'built') throw new Error(`the project was not built: ${JSON.stringify(body)}`)
  return id
}

/** Forks a branch for the caller. @returns the name of the personal branch. */
export async function enterDevMode(author: Api, deploymentId: number, branchName = 'main'): Promise<string> {
  const { status, body } = await author.post(`/build/api/v1/deployments/${deploymentId}/dev-mode`, { branchName })
  if (status !== 200) throw new Error(`dev mode was not entered: ${JSON.stringify(body)}`)
  return String(body.branchName)
}

export async function putFiles(author: Api, deploymentId: number, branchName: string, files: ProjectFiles) {
  const { status, body } = await author.put(`/build/api/v1/deployments/${deploymentId}/data-model/files`, {
    branchName,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  })
  if (status !== 200) throw new Error(`no files were written: ${JSON.stringify(body)}`)
}

export async function setVariables(api: Api, deploymentId: number, variables: Readonly<Record<string, string>>) {
  const pairs = Object.entries(variables).map(([name, value]) => ({ name, value }))
  if (pairs.length === 0) return
  const { status, body } = await api.put(`/api/v1/deployments/${deploymentId}/env-vars`, { env_variables: pairs })
  if (status !== 200) throw new Error(`no variables were set: ${JSON.stringify(body)}`)
}
