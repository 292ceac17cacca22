import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, buildOf, createApi, createKey, load } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { findDemo } from './find-demo.ts'
import { type FlightsFile, openFlightsFile } from './flights-file.ts'

let platform: RunningPlatform
let api: Api
let files: FlightsFile
beforeAll(async () => {
  // On a platform of its own, since this changes what production answers.
  platform = await startPlatform({ environment: { HEDRON_DEMO: '1' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  files = await openFlightsFile()
})
afterAll(async () => {
  files?.close()
  await platform?.dispose()
})

const path = 'model/cubes/flights.yml'

interface Node {
  readonly path: string
  readonly content?: string
  readonly children?: readonly Node[]
}

function contentOf(nodes: readonly Node[], wanted: string): string {
  for (const node of nodes) {
    if (node.path === wanted) return node.content ?? ''
    const inside = contentOf(node.children ?? [], wanted)
    if (inside !== '') return inside
  }
  return ''
}

test('a measure that is changed in dev mode changes there, and in production once it is committed', async () => {
  const id = await findDemo(api)
  const author = api.with(await createKey(api, { name: 'newcomer' }))
  const base = `/build/api/v1/deployments/${id}`
  const [[before, after, shortest] = []] = await files.rows(
    'SELECT avg(delay), avg(greatest(delay, 0)), min(distance) FROM flights',
  )
  const ask = async (measure: string, branch?: string) => {
    const { status, body } = await load(author, id, { measures: [measure] }, branch === undefined ? {} : { branch })
    return status === 200 ? Number(Object(body.data)[0][measure]) : `${status} ${body.error}`
  }
  const unknown = expect.stringMatching(/^400 'shortest_flight' not found for path 'flights\.shortest_flight'/)
  expect(await ask('flights.average_delay')).toBeCloseTo(Number(before), 9)
  expect(await ask('flights.shortest_flight')).toEqual(unknown)

  const { body: dev } = await author.post(`${base}/dev-mode`, { branchName: 'main' })
  const branch = String(dev.branchName)
  const { body: tree } = await author.get(`${base}/data-model/files?withContent=true`)
  const content = contentOf(Object(tree.items), `/${path}`)
  const changed = `${content.replace('sql: delay\n        type: avg', 'sql: "GREATEST({CUBE}.delay, 0)"\n        type: avg')}
      - name: shortest_flight
        sql: distance
        type: min
`
  expect(changed).toContain('GREATEST')
  const put = await author.put(`${base}/data-model/files`, { files: [{ path, content: changed }] })
  expect([put.status, put.body]).toEqual([200, { success: true }])

  expect(await ask('flights.average_delay', branch)).toBeCloseTo(Number(after), 9)
  expect(await ask('flights.shortest_flight', branch)).toBe(Number(shortest))
  expect(await ask('flights.average_delay')).toBeCloseTo(Number(before), 9)
  expect(await ask('flights.shortest_flight')).toEqual(unknown)

  const { body: validation } = await author.get(`${base}/data-model/validate?devMode=true`)
  expect(validation).toMatchObject({ valid: true, errors: [], branchName: branch })
  const committed = await author.post(`${base}/commit`, { message: 'Early is not less than on time' })
  expect([committed.status, committed.body]).toEqual([200, { success: true }])
  expect(String((await buildOf(author, id, 'main')).body.status)).toBe('built')

  expect(await ask('flights.average_delay')).toBeCloseTo(Number(after), 9)
  expect(await ask('flights.shortest_flight')).toBe(Number(shortest))
  expect(await ask('flight_facts.average_delay'), 'the view over it, too').toBeCloseTo(Number(after), 9)
})
