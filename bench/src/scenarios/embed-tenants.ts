import * as z from 'zod'
import type { Scenario, Summary } from '../shapes.ts'
import { exchange } from '../support/http.ts'
import { interleave, timed } from '../support/interleave.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'

const pageSize = 100

const Users = z.object({
  items: z.array(z.object({ id: z.number() })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
})
const Settings = z.object({ externalUserLimit: z.number() })
const Group = z.object({ id: z.number() })
const Members = z.object({ addedMembers: z.array(z.unknown()) })

export const embedTenants: Scenario = {
  name: 'embed-tenants',
  describes: 'users of an embed tenant: first and last page, new members, deletion of the tenant',
  async run({ quick, scope, say }) {
    const count = quick ? 10_000 : 100_000
    const platform = await startPlatform(scope, { demo: false })
    await platform.call(Settings, 'PUT', '/api/v1/tenant/settings', { externalUserLimit: 1_000_000 })

    say(`${count} users, 1,000 in a request`)
    const added = await fill(platform, 'tenant-large', count)
    const users = '/api/v1/embed-tenants/tenant-large/users'
    const members = `/api/v1/embed-tenants/tenant-large/groups/${added.groupId}/users`
    const [lastUsers, lastMembers] = [await lastPage(platform, users), await lastPage(platform, members)]

    say('the database gathers its statistics within half a minute')
    await new Promise(resolve => setTimeout(resolve, 40_000))
    say('first and last pages')
    const read = (path: string, after?: string) => timed(() => pageOf(platform, path, pageSize, after))
    const pages = await interleave(
      { rounds: quick ? 50 : 300, warmUps: 20 },
      {
        firstUsers: () => read(users),
        lastUsers: () => read(users, lastUsers),
        firstMembers: () => read(members),
        lastMembers: () => read(members, lastMembers),
      },
    )

    say('deletions of tenants with 5,000 users')
    const deletions: number[] = []
    for (let round = 0; round < (quick ? 2 : 10); round++) {
      await fill(platform, 'tenant-gone', 5_000)
      deletions.push(await timed(() => remove(platform, 'tenant-gone')))
    }
    const of = (what: string) => `${what} of ${count / 1_000},000 users, ${pageSize} on a page`
    return [
      compare(of('Users'), pages('firstUsers'), pages('lastUsers')),
      compare(of('Members of a group'), pages('firstMembers'), pages('lastMembers')),
      {
        what: '1,000 new members of a group, whose users are made',
        unit: 'ms',
        hedron: summarise(added.milliseconds),
        beside: null,
        goal: null,
        note: `Until there are ${count}, one client; each is counted against the limit of external users.`,
      },
      {
        what: 'Deletion of an embed tenant with 5,000 users',
        unit: 'ms',
        hedron: summarise(deletions),
        beside: null,
        goal: { text: 'below 1 s', met: summarise(deletions).median < 1_000 },
        note: 'In one transaction, with their memberships.',
      },
    ]
  },
}

/** The first page, beside the last: the goal is that neither costs more than twice the other. */
function compare(what: string, first: Summary, last: Summary) {
  const ratio = last.median / first.median
  return {
    what: `${what}: first page`,
    unit: 'ms',
    hedron: first,
    beside: { what: 'the last page', summary: last },
    goal: { text: 'equal cost', met: ratio < 1.5 && ratio > 1 / 1.5 },
  } as const
}

/** Makes a tenant with one group, of which so many users are members. */
async function fill(platform: Platform, tenant: string, count: number) {
  const groups = `/api/v1/embed-tenants/${tenant}/groups`
  const { id: groupId } = await platform.call(Group, 'POST', groups, { name: 'all' })
  const milliseconds: number[] = []
  for (let from = 0; from < count; from += 1_000) {
    const members = Array.from({ length: 1_000 }, (_, index) => ({ externalId: `user-${from + index}` }))
    milliseconds.push(await timed(() => platform.call(Members, 'POST', `${groups}/${groupId}/users`, { members })))
  }
  return { groupId, milliseconds }
}

async function pageOf(platform: Platform, path: string, first: number, after?: string) {
  const query = new URLSearchParams({ first: String(first), ...(after === undefined ? {} : { after }) })
  return platform.call(Users, 'GET', `${path}?${query}`)
}

/** The cursor before the last page, found by walking. */
async function lastPage(platform: Platform, path: string): Promise<string> {
  let after: string | undefined
  for (;;) {
    const { pageInfo } = await pageOf(platform, path, 1_000, after)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor ?? undefined
  }
  const { pageInfo } = await pageOf(platform, path, 1_000 - pageSize, after)
  if (pageInfo.endCursor === null) throw new Error(`${path} has no last page`)
  return pageInfo.endCursor
}

async function remove(platform: Platform, tenant: string): Promise<void> {
  const headers = { authorization: `Api-Key ${platform.apiKey}` }
  const { status } = await exchange('DELETE', `${platform.baseUrl}/api/v1/embed-tenants/${tenant}`, headers)
  if (status !== 204) throw new Error(`the deletion answered ${status}`)
}
