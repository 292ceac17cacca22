import { createHash, randomBytes } from 'node:crypto'
import { openStore } from '@hedron/store'
import pg from 'pg'
import * as z from 'zod'
import { startPostgres15 } from '../../../scripts/test-machine.ts'
import type { Figure, Scenario } from '../shapes.ts'
import { closedLoop } from '../support/closed-loop.ts'
import { interleave } from '../support/interleave.ts'
import { createDeployment, type Platform, startPlatform } from '../support/platform.ts'
import type { Scope } from '../support/scope.ts'

const crowds = [1, 16, 64] as const
/** Users who are known to the account, in turns. */
const users = 500
const Generated = z.object({ sessionId: z.string() })
const Exchanged = z.object({ token: z.string() })

export const embedSessions: Scenario = {
  name: 'embed-sessions',
  describes: `generate-session by ${crowds.join(', ')} clients, and the exchange of sessions for tokens`,
  async run({ quick, scope, say }) {
    const embedded = await openPlace(scope, say, { on: 'the embedded PostgreSQL', create: () => null })
    const figures = [...(await measureCrowds(embedded, { quick, say }))]
    say('exchange')
    figures.push(await measureExchange(embedded.platform, embedded.generate, quick))
    await embedded.platform.stop()
    const server = await startPostgres15({ isDurable: true })
    if (server === null) {
      say('PostgreSQL 15 is not on this machine: a server of its own is left out')
      return figures
    }
    scope.defer(() => server.stop())
    const create = (name: string) => createDatabase(server.url, name)
    const own = await openPlace(scope, say, { on: 'PostgreSQL 15, a server of its own', create })
    figures.push(...(await measureCrowds(own, { quick, say })))
    return figures
  },
}

/** Where sessions are kept: a platform, and the bare transaction on a database of the same kind. */
interface Place {
  readonly on: string
  readonly platform: Platform
  readonly generate: (user: string, more?: object) => Promise<string>
  readonly bare: { insert(): Promise<void> }
}

/** @param create makes a database and gives its address; null: the embedded server */
async function openPlace(
  scope: Scope,
  say: (message: string) => void,
  { on, create }: { readonly on: string; readonly create: (name: string) => Promise<string> | null },
): Promise<Place> {
  const url = await create('platform')
  const platform = await startPlatform(scope, {
    demo: false,
    ...(url === null ? {} : { environment: { HEDRON_DATABASE_URL: url } }),
  })
  const deploymentId = await createDeployment(platform, 'embedded')
  const generate = (user: string, more: object = {}) =>
    generateSession(platform, { deploymentId, externalId: user, ...more })
  const bare = await openBareSessions(scope, await create('bare'))
  say(`users who are known, ${on}`)
  for (let user = 0; user < users; user++) {
    await generate(`user-${user}`)
    await generate(`user-${user}`, tenant(user))
  }
  return { on, platform, generate, bare }
}

async function measureCrowds(
  { on, generate, bare }: Place,
  { quick, say }: { readonly quick: boolean; readonly say: (message: string) => void },
): Promise<Figure[]> {
  const figures: Figure[] = []
  const [rounds, seconds] = quick ? [2, 2] : [5, 4]
  for (const clients of crowds) {
    const who = `${clients} ${clients === 1 ? 'client' : 'clients'}, ${on}`
    say(who)
    const loop = (once: (turn: number) => Promise<unknown>) => () => closedLoop({ clients, seconds }, once)
    const measured = await interleave(
      { rounds, warmUps: 1 },
      {
        hedron: loop(turn => generate(`user-${turn % users}`)),
        rights: loop(turn => generate(`user-${turn % users}`, tenant(turn % users))),
        bare: loop(() => bare.insert()),
      },
    )
    const beside = { what: 'the bare transaction', summary: measured('bare') }
    const goal = { text: 'at least half', met: measured('hedron').median >= measured('bare').median / 2 }
    figures.push(
      {
        what: `generate-session, ${who}`,
        unit: 'requests/s',
        hedron: measured('hedron'),
        beside,
        goal,
        note: `Of ${users} known users in turns. The bare transaction inserts a session and an audit row into the same tables, in a PostgreSQL of the same kind and settings (fsync on), from as many clients over ten connections.`,
      },
      {
        what: `generate-session with groups and attributes, ${who}`,
        unit: 'requests/s',
        hedron: measured('rights'),
        beside,
        goal: null,
        note: 'In creator mode: an embed tenant, a group and an attribute, defined and given each time, as they are.',
      },
    )
  }
  return figures
}

/** @returns the address of a new database on the server */
async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const made = new URL(url)
  made.pathname = `/${name}`
  return made.href
}

/** What a host sends for a user in creator mode. */
const tenant = (user: number) => ({
  creatorMode: true,
  embedTenantName: `tenant-${user % 20}`,
  groupDefinitions: [{ name: 'readers' }],
  userAttributeDefinitions: [{ name: 'customer', type: 'string' }],
  groups: ['readers'],
  userAttributes: [{ name: 'customer', value: `customer-${user % 20}` }],
})

async function generateSession(platform: Platform, body: object): Promise<string> {
  return (await platform.call(Generated, 'POST', '/api/v1/embed/generate-session', body)).sessionId
}

async function measureExchange(
  platform: Platform,
  generate: (user: string) => Promise<string>,
  quick: boolean,
): Promise<Figure> {
  const many = quick ? 200 : 1_000
  const measured = await interleave(
    { rounds: quick ? 2 : 5 },
    {
      async exchange() {
        const ids: string[] = []
        for (let index = 0; index < many; index++) ids.push(await generate(`user-${index % users}`))
        const began = performance.now()
        const client = async () => {
          for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
            await platform.call(Exchanged, 'POST', '/api/v1/embed/session/token', { sessionId: id })
          }
        }
        await Promise.all(Array.from({ length: 16 }, client))
        return (many * 1_000) / (performance.now() - began)
      },
    },
  )
  return {
    what: 'exchange of sessions, 16 clients',
    unit: 'requests/s',
    hedron: measured('exchange'),
    beside: null,
    goal: null,
  }
}

/** An account with a deployment and users, as the platform keeps them. */
const people = `
  with account as (insert into accounts (name) values ('bare') returning id),
  deployment as (
    insert into deployments (account_id, name, creation_step, deploy_mode, cloud_provider, region, target_platform, is_managed,
      release_channel_version)
    select id, 'bare', 'ready', 'cli', 'cubecloud', 'local', 'local', true, '1' from account returning id)
  insert into users (account_id, username, external_id)
  select account.id, 'user-' || n, 'user-' || n from account, deployment, generate_series(1, ${users}) as n`

/** The least that a session takes: its row and that of the audit log, in one transaction that is on disk when it ends. */
async function openBareSessions(scope: Scope, url: string | null): Promise<{ insert(): Promise<void> }> {
  const store = await openStore(url === null ? { directory: await scope.folder() } : { url })
  scope.defer(() => store.close())
  await store.pool.query(people)
  return {
    async insert() {
      const digest = createHash('sha256').update(randomBytes(32)).digest()
      const client = await store.pool.connect()
      try {
        await client.query('begin')
        await client.query(
          `insert into embed_sessions (account_id, deployment_id, user_id, digest, is_internal, creator_mode, expires_at)
           values (1, 1, $1, $2, false, false, $3) returning id`,
          [1 + Math.floor(Math.random() * users), digest, new Date()],
        )
        await client.query(
          `insert into audit_log (account_id, at, actor, action, target, details)
           values (1, $1, 'bench', 'embed-session.create', 'session', '{}')`,
          [new Date()],
        )
        await client.query('commit')
      } finally {
        client.release()
      }
    },
  }
}
