import { randomBytes } from 'node:crypto'
import { type Api, createApi } from './api.ts'
import { type RunningPlatform, type StartOptions, startPlatform } from './start-platform.ts'

/** One platform with two accounts, the first of which has two administrators. */
export interface TwoAccounts {
  readonly ada: Api
  /** Of Ada's account. */
  readonly bob: Api
  /** Of the other account. */
  readonly eve: Api
  dispose(): Promise<void>
}

/**
 * Starts a platform whose database holds two accounts. A start makes sure of one account and one administrator, so this takes a
 * start for each; their keys all work on the last.
 */
export async function startTwoAccounts(): Promise<TwoAccounts> {
  const people = [
    { account: 'first', email: 'ada@first.example' },
    { account: 'first', email: 'bob@first.example' },
    { account: 'second', email: 'eve@second.example' },
  ].map(person => ({ ...person, key: `sk-${randomBytes(24).toString('hex')}` }))
  const started: RunningPlatform[] = []
  for (const { account, email, key } of people) {
    const [first] = started
    await started.at(-1)?.stop()
    const place: StartOptions =
      first === undefined ? {} : { dataDirectory: first.dataDirectory, database: first.database }
    const environment = { HEDRON_ACCOUNT: account, HEDRON_ADMIN_EMAIL: email, HEDRON_BOOTSTRAP_API_KEY: key }
    started.push(await startPlatform({ ...place, environment }))
  }
  const last = started.at(-1)
  const [ada, bob, eve] = people.map(({ key }) => createApi(last?.baseUrl ?? '', key))
  if (!ada || !bob || !eve || !last) throw new Error('the platforms were not started')
  return {
    ada,
    bob,
    eve,
    async dispose() {
      await last.stop()
      await started[0]?.dispose()
    },
  }
}
