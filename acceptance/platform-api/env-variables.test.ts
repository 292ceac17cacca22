import { describe, expect, test } from 'vitest'
import { createDeployment, load, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const client = connect(api)

async function variables() {
  const params = { deploymentId: await createDeployment(api) }
  return {
    params,
    async read() {
      const { items, data } = await client.getEnvVariables({ params })
      expect(data).toEqual(items)
      return Object.fromEntries(items.map(({ name, value }) => [name, value]))
    },
    set: (values: Record<string, string>) =>
      client.setEnvVariables({
        params,
        body: { env_variables: Object.entries(values).map(([name, value]) => ({ name, value })) },
      }),
  }
}

const mask = '[ENCRYPTED]'

describe('environment variables', () => {
  test('are set and changed by name; those that are not sent keep their values', async () => {
    const { read, set } = await variables()
    await set({ ONE: '1', TWO: '2', empty: '' })
    const answer = await set({ TWO: 'zwei 🚀\n= "x"', _three: '3' })
    const expected = { ONE: '1', TWO: 'zwei 🚀\n= "x"', _three: '3', empty: '' }
    expect(await read()).toMatchObject(expected)
    expect(Object.fromEntries(answer.items.map(({ name, value }) => [name, value]))).toMatchObject(expected)
    expect(answer.data).toEqual(answer.items)
  })

  test('that are secret by their name read as [ENCRYPTED]', async () => {
    const { read, set } = await variables()
    const secret = {
      CUBEJS_DB_PASS: 'hush-1',
      A_SECRET_B: 'hush-2',
      token: 'hush-3',
      ApiKey: 'hush-4',
      AWS_CREDENTIALS: 'hush-5',
      MONKEY: 'hush-6',
      EMPTY_SECRET: '',
    }
    const answer = await set({ ...secret, CUBEJS_DB_HOST: 'db.example' })
    const shown = await read()
    for (const name of Object.keys(secret)) expect(shown[name], name).toBe(mask)
    expect(shown.CUBEJS_DB_HOST).toBe('db.example')
    expect(shown.CUBEJS_API_SECRET).toBe(mask)
    expect(JSON.stringify([answer, shown])).not.toContain('hush')
  })

  test('cannot be set to the mask, and nothing of such a request is', async () => {
    const { read, set } = await variables()
    await set({ DB_PASS: 'kept', OTHER: 'kept' })
    for (const name of ['DB_PASS', 'OTHER', 'NEW']) {
      const call = set({ OTHER: 'changed', NEW: 'new', [name]: mask })
      await expectRefusal(call, 'variable_invalid', new RegExp(`"${name}".*leave the variable out`))
    }
    const shown = await read()
    expect(shown.OTHER).toBe('kept')
    expect(shown).not.toHaveProperty('NEW')
  })

  test.each(['1ST', 'with space', 'with-dash', 'ünicode', 'a=b', 'a.b', '$(id)'])('cannot be named %s', async name => {
    const { read, set } = await variables()
    await expectRefusal(set({ FINE: '1', [name]: '2' }), 'variable_invalid', /begins with a letter/)
    expect(await read()).not.toHaveProperty('FINE')
  })

  test('are named in the message of a refusal, and never their values', async () => {
    const { set } = await variables()
    const error = await expectRefusal(set({ 'bad name': 'hush-hush' }), 'variable_invalid', /"bad name"/)
    expect(error.message).not.toContain('hush')
  })

  test('are bounded: 1,000 in a request, 65,536 characters a value, 255 a name', async () => {
    const { read, set } = await variables()
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`V${i}`, `${i}`]))
    await expectRefusal(set(many(1001)), 'invalid_request', /^env_variables/)
    await expectRefusal(set({}), 'invalid_request', /^env_variables/)
    await expectRefusal(set({ BIG: 'x'.repeat(65_537) }), 'invalid_request', /^env_variables\[0\]\.value/)
    await expectRefusal(set({ ['N'.repeat(256)]: '' }), 'invalid_request', /^env_variables\[0\]\.name/)
    await set({ ...many(1000), V0: 'x'.repeat(65_536) })
    expect((await read()).V0).toHaveLength(65_536)
  })

  test.each([
    ['CUBEJS_DB_QUERY_LIMIT', 'abc', /not a whole number above zero/],
    ['CUBEJS_ROLLUP_ONLY', 'perhaps', /neither true nor false/],
    ['CUBEJS_ACCESS_POLICY_MASK_NUMBER', 'none', /not a number/],
    ['CUBEJS_DEFAULT_TIMEZONE', 'Mars/Olympus', /time zone/],
    ['CUBEJS_DB_SSL', 'perhaps', /neither true nor false/],
    ['CUBEJS_CONCURRENCY', 'many', /whole number from 1 to 9999/],
  ])('that would mean nothing are refused where they are set: %s=%s', async (name, value, reason) => {
    const { read, set } = await variables()
    await set({ CUBEJS_DB_TYPE: 'postgres', CUBEJS_DB_HOST: 'h', CUBEJS_DB_NAME: 'n', CUBEJS_DB_USER: 'u' })
    const error = await expectRefusal(set({ FINE: '1', [name]: value }), 'variable_invalid', reason)
    expect(error.message).toContain(`"${name}"`)
    expect(await read()).not.toHaveProperty('FINE')
  })

  test('twice in one request is refused rather than guessed', async () => {
    const { params } = await variables()
    const env_variables = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ]
    await expectRefusal(client.setEnvVariables({ params, body: { env_variables } }), 'variable_invalid', /twice/)
  })

  test('set by many at once are all there', async () => {
    const { read, set } = await variables()
    const names = Array.from({ length: 10 }, (_, index) => `PARALLEL_${index}`)
    await Promise.all(names.map(name => set({ [name]: name })))
    expect(await read()).toMatchObject(Object.fromEntries(names.map(name => [name, name])))
  })

  test('take effect: a new API secret ends the tokens that the old one signed', async () => {
    const { params, set } = await variables()
    const { cubeApiToken: token } = await client.deploymentToken({ params })
    const query = { measures: ['example_orders.count'] }
    expect((await load(api, params.deploymentId, query, { token })).status).toBe(200)
    await set({ CUBEJS_API_SECRET: 'a-new-secret-of-some-length-0123456789' })
    expect((await load(api, params.deploymentId, query, { token })).status).toBe(403)
    expect((await load(api, params.deploymentId, query)).status).toBe(200)
  })
})
