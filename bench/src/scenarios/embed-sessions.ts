import { createHash, randomBytes } from 'node:crypto'
import { openStore } from '@hedron/store'
import * as z from 'zod'
import type { Figure, Scenario, Summary } from '../shapes.ts'
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
    const platform = await startPlatform(scope, { demo: false })
    const deploymentId = await createDeployment(platform, 'embedded')
    const generate = (user: string, more: object = {}) =>
      generateSession(platform, { deploymentId, externalId: user, ...more })
    const bare = await openBareSessions(scope)
    say('users who are known')
    for (let user = 0; user < users; user++) await generate(`user-${user}`, tenant(user))
    const figures: Figure[] = []
    const [rounds, seconds] = quick ? [2, 2] : [5, 5]
    for (const clients of crowds) {
      say(`${clients} clients`)
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
      const goal = (ours: Summary) => ({
        text: 'at least half',
        met: ours.median >= measured('bare').median / 2,
      })
      const who = `${clients} ${clients === 1 ? 'client' : 'clients'}`
      figures.push(
        {
          what: `generate-session, ${who}`,
          unit: 'requests/s',
          hedron: measured('hedron'),
          beside,
          goal: goal(measured('hedron')),
          note: `Of ${users} known users in turns. The bare transaction inserts a session and an audit row, in a PostgreSQL with the same settings (fsync on), from as many clients over ten connections.`,
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
    say('exchange')
    figures.push(await measureExchange(platform, generate, quick))
    return figures
  },
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

const schema = `
  create table bare_sessions (
    id bigint generated always as identity primary key, user_id bigint not null, digest bytea not null unique,
    security_context jsonb not null, settings jsonb not null, created_at timestamptz not null, expires_at timestamptz not null);
  create index bare_sessions_user on bare_sessions (user_id);
  create table bare_audit (
    id bigint generated always as identity primary key, at timestamptz not null, actor text not null, action text not null,
    target text not null, details jsonb not null)`

/** The least that a session takes: its row and that of the audit log, in one transaction that is on disk when it ends. */
async function openBareSessions(scope: Scope): Promise<{ insert(): Promise<void> }> {
  const store = await openStore({ directory: await scope.folder() })
  scope.defer(() => store.close())
  await store.pool.query(schema)
  return {
    async insert() {
      const digest = createHash('sha256').update(randomBytes(32)).digest()
      const client = await store.pool.connect()
      try {
        await client.query('begin')
        await client.query(
          `insert into bare_sessions (user_id, digest, security_context, settings, created_at, expires_at)
           values ($1, $2, '{}', '{}', $3, $3) returning id`,
          [Math.floor(Math.random() * users), digest, new Date()],
        )
        await client.query('insert into bare_audit (at, actor, action, target, details) values ($1, $2, $3, $4, $5)', [
          new Date(),
          'bench',
          'embed-session.create',
          'session',
          '{}',
        ])
        await client.query('commit')
      } finally {
        client.release()
      }
    },
  }
}
