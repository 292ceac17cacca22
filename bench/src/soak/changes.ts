import type { Client } from './client.ts'
import { load } from './data-client.ts'
import { brokenVersionFile, versionFile, versionPath } from './project.ts'
import { isRefusal, WrongAnswer } from './refusal.ts'
import { createAuthor, enterDevMode, putFiles, setVariables, untilBuilt, type World } from './world.ts'

/** What is changed while it is asked for: the model, variables, rows of the source, and the source itself. */
export async function createChanges(world: World): Promise<readonly Client[]> {
  return [await createModelChanges(world), createVariableChanges(world), createTickWriter(world), createRestarts(world)]
}

/** An author whose branch and whose commits are good and broken in turns. */
async function createModelChanges({ platform, shop, version }: World): Promise<Client> {
  const { deploymentId } = shop
  const author = await createAuthor(platform)
  const branch = await enterDevMode(author, deploymentId)
  let number = version.current
  const numberOn = async (where?: string) => {
    const { data } = await load(
      shop,
      { query: { measures: ['version.number'] } },
      where === undefined ? {} : { branch: where },
    )
    return Number(data[0]?.['version.number'])
  }
  async function write(content: string): Promise<void> {
    await putFiles(author, deploymentId, branch, { [versionPath]: content })
  }
  async function commit(): Promise<void> {
    await author.call('POST', `/build/api/v1/deployments/${deploymentId}/commit`, {
      branchName: branch,
      message: `Version ${number}`,
    })
  }
  async function expectBuild(wanted: 'built' | 'failed'): Promise<void> {
    const state = await untilBuilt(platform, deploymentId)
    if (state !== wanted) throw new WrongAnswer(`the build of version ${number} ${state}`)
    const answered = await numberOn()
    if (answered !== version.current && wanted === 'failed') {
      throw new WrongAnswer(`production answers ${answered} after a broken build instead of ${version.current}`)
    }
  }

  return {
    name: 'changes of the model',
    count: 1,
    pause: 2_000,
    async once() {
      number += 1
      await write(brokenVersionFile(number))
      const told = await numberOn(branch).catch((error: unknown) => error)
      if (!isRefusal(told) || !/Compile errors/.test(told.message)) {
        throw new WrongAnswer(`a broken branch answers ${told instanceof Error ? told.message : told}`)
      }
      if (number % 3 === 0) {
        await commit()
        await expectBuild('failed')
      }
      await write(versionFile(number))
      const answered = await numberOn(branch)
      if (answered !== number) throw new WrongAnswer(`the branch answers ${answered} instead of ${number}`)
      await version.to(number, async () => {
        await commit()
        await expectBuild('built')
      })
      const committed = await numberOn()
      if (committed !== number) throw new WrongAnswer(`production answers ${committed} instead of ${number}`)
    },
  }
}

/** In turns one that decides how many rows there are, and one of the data source, whose connections are then others. */
function createVariableChanges({ platform, shop, faults, defaultLimit }: World): Client {
  let turn = 0
  const set = (name: string, value: number) => setVariables(platform, shop.deploymentId, { [name]: String(value) })
  return {
    name: 'changes of variables',
    count: 1,
    pause: 15_000,
    async once() {
      const number = 1_000 + Math.floor(Math.random() * 1_000)
      await faults.during('variables changed', () =>
        turn++ % 2 === 0
          ? defaultLimit.to(number, () => set('CUBEJS_DB_QUERY_DEFAULT_LIMIT', number))
          : set('CUBEJS_DB_QUERY_TIMEOUT', number),
      )
    },
  }
}

/** Writes rows into the source. */
function createTickWriter({ source, ticks, faults }: World): Client {
  return {
    name: 'rows written to the source',
    count: 1,
    pause: 300,
    async once() {
      const began = performance.now()
      try {
        await ticks.add(async () => {
          await source.ask('INSERT INTO ticks DEFAULT VALUES')
        })
      } catch (error) {
        // While the source is away nothing can be written; the row may be there or not.
        if (faults.explain('Data source "default" does not answer: ', began) === null) throw error
      }
    },
  }
}

function createRestarts({ source, faults }: World): Client {
  let turn = 0
  return {
    name: 'restarts of the source',
    count: 1,
    pause: 25_000,
    async once() {
      if (turn++ % 2 === 0) {
        await faults.during('source restarted', () => source.restart())
        return
      }
      await faults.during('connections to the source ended', async () => {
        await source.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hedron'")
      })
    },
  }
}
