import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signRsa } from '../data-api/tokens.ts'
import { sharedApi } from '../support/api.ts'
import { chatOf, finalOf } from './chat-client.ts'
import { createShop } from './shop.ts'

const api = sharedApi()
const namespace = 'https://shop.example/claims'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
const provider = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
let deploymentId: number
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  deploymentId = await createShop(api, {
    CUBEJS_JWK_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks.json`,
    CUBEJS_JWT_ALGS: 'RS256',
    CUBEJS_JWT_CLAIMS_NAMESPACE: namespace,
  })
  await api.put(`/api/v1/deployments/${deploymentId}`, { serviceAuthEnabled: true })
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

/** @param context what the deployment makes the security context of */
function chatWith(context: object, claims: object = {}, key = privateKey) {
  const exp = Math.floor(Date.now() / 1000) + 600
  const token = signRsa({ sub: 'Ada', exp, ...claims, [namespace]: context }, key, { kid: 'one' })
  return chatOf(api, { place: `deployments/${deploymentId}`, headers: { 'x-service-auth-token': token } })
}

test('a service token of an identity provider is checked by its keys, and the scope in the context that comes of it', async () => {
  const question = { input: 'total amount' }
  const red = { tenant: 'red', scope: ['chat'] }
  expect(finalOf(await chatWith(red, { scope: 'openid profile' }).lines(question))).toContain('30')
  expect(finalOf(await chatWith({ ...red, tenant: 'blue' }).lines(question))).toContain('280')
  // In the token but not in the context that the deployment makes of it, the scope is none.
  const unscoped = await chatWith({ tenant: 'red' }, { scope: ['chat'] }).refusal(question)
  expect(unscoped.body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.stringContaining('scope') } })
  const forged = await chatWith(red, {}, stranger).refusal(question)
  expect([forged.status, forged.body.jsonrpc]).toEqual([200, '2.0'])
})
