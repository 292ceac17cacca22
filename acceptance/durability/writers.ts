import { type Answer, type Api, createKey } from '../support/api.ts'
import { type Slots, slots } from './slots.ts'

/** Writes without pause until its platform is gone, and remembers what it was told is safe. */
export interface Writer {
  readonly name: string
  /** Ends when a request gets no answer. @returns how many writes were acknowledged. */
  run(api: Api): Promise<number>
  /** Compares what is there with what was acknowledged. @throws where something is lost. */
  check(api: Api): Promise<void>
}

const model = (version: number) =>
  `cubes:\n  - name: version\n    sql: SELECT ${version} AS number\n    measures:\n      - name: number\n        sql: number\n        type: max\n`

/** Writes several files at once, over and over: all of one version, or all of another. */
export async function fileWriter(api: Api, deploymentId: number, name: string): Promise<Writer> {
  const author = await authorOf(api)
  const branch = await enterDevMode(api.with(author), deploymentId)
  const known = slots(name)
  const base = `/build/api/v1/deployments/${deploymentId}/data-model/files`
  return {
    name,
    run: target =>
      known.write(version => {
        const slot = version % 5
        const files = ['a', 'b', 'c'].map(part => ({
          path: `model/${name}/${slot}-${part}.md`,
          content: `${version}\n`,
        }))
        return {
          slot: String(slot),
          send: () => target.with(author).put(base, { branchName: branch, files }),
        }
      }),
    check: target =>
      known.check(async () => versionsOf(await readFiles(target.with(author), deploymentId, branch), name)),
  }
}

/** Writes a model and commits it: what is committed is on the shared branch. */
export async function commitWriter(api: Api, deploymentId: number, name: string): Promise<Writer> {
  const author = await authorOf(api)
  const branch = await enterDevMode(api.with(author), deploymentId)
  const known = slots(name)
  const base = `/build/api/v1/deployments/${deploymentId}`
  return {
    name,
    run: target =>
      known.write(version => ({
        slot: '0',
        async send() {
          const own = target.with(author)
          const files = [
            { path: `model/${name}.yml`, content: model(version) },
            { path: `model/${name}/0-a.md`, content: `${version}\n` },
          ]
          const put = await own.put(`${base}/data-model/files`, { branchName: branch, files })
          if (put.status !== 200) return put
          return own.post(`${base}/commit`, { branchName: branch, message: `Version ${version}` })
        },
      })),
    check: target =>
      known.check(async () => versionsOf(await readFiles(target.with(author), deploymentId, 'main'), name)),
  }
}

/** Sets two variables at once, always to the same. */
export function variableWriter(deploymentId: number, name: string): Writer {
  const known = slots(name)
  const path = `/api/v1/deployments/${deploymentId}/env-vars`
  return {
    name,
    run: target =>
      known.write(version => ({
        slot: String(version % 3),
        send: () =>
          target.put(path, {
            env_variables: ['LEFT', 'RIGHT'].map(side => ({ name: `${side}_${version % 3}`, value: String(version) })),
          }),
      })),
    check: target =>
      known.check(async () => {
        const { status, body } = await target.get(path)
        if (status !== 200) throw new Error(`variables could not be read: ${JSON.stringify(body)}`)
        const variables: { name: string; value: string }[] = Object(body.items)
        return variables.flatMap(variable => {
          const [, slot] = /^(?:LEFT|RIGHT)_(\d)$/.exec(variable.name) ?? []
          return slot === undefined ? [] : [{ slot, version: Number(variable.value) }]
        })
      }),
  }
}

const authorOf = (api: Api) => createKey(api)

async function enterDevMode(author: Api, deploymentId: number): Promise<string> {
  const { status, body } = await author.post(`/build/api/v1/deployments/${deploymentId}/dev-mode`, {
    branchName: 'main',
  })
  if (status !== 200) throw new Error(`dev mode was not entered: ${JSON.stringify(body)}`)
  return String(body.branchName)
}

interface Node {
  readonly path: string
  readonly content?: string
  readonly children?: readonly Node[]
}

async function readFiles(author: Api, deploymentId: number, branch: string): Promise<readonly Node[]> {
  const { status, body }: Answer = await author.get(
    `/build/api/v1/deployments/${deploymentId}/data-model/files?withContent=true&branchName=${branch}`,
  )
  if (status !== 200) throw new Error(`files could not be read: ${JSON.stringify(body)}`)
  const flat = (nodes: readonly Node[]): readonly Node[] => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
  return flat(Object(body.items))
}

function versionsOf(files: readonly Node[], name: string): ReturnType<Parameters<Slots['check']>[0]> {
  const found = files.flatMap(({ path, content }) => {
    const [, slot] = new RegExp(`^/model/${name}/(\\d)-\\w\\.md$`).exec(path) ?? []
    return slot === undefined ? [] : [{ slot, version: Number(content) }]
  })
  return Promise.resolve(found)
}
