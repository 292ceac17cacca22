import { describe, expect, test } from 'vitest'
import { authorizationHeader, normalizeUrl, resolveCredentials } from '../../src/session/credentials.ts'

test.each([
  ['cloud.example.dev', 'https://cloud.example.dev'],
  [' cloud.example.dev/ ', 'https://cloud.example.dev'],
  ['http://localhost:4000', 'http://localhost:4000'],
  ['https://a.example//', 'https://a.example'],
  ['localhost:4000', 'http://localhost:4000'],
  ['127.0.0.1:4000/', 'http://127.0.0.1:4000'],
  ['localhost', 'http://localhost'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['[::1]:4000', 'http://[::1]:4000'],
  ['  / ', ''],
])('%j is read as %j', (url, expected) => expect(normalizeUrl(url)).toBe(expected))

test.each([
  ['sk-abc', {}, 'Api-Key sk-abc'],
  ['opaque', {}, 'Bearer opaque'],
  ['sk-abc', { HEDRON_AUTH_SCHEME: 'bearer' }, 'Bearer sk-abc'],
  ['opaque', { HEDRON_AUTH_SCHEME: 'Api-Key' }, 'Api-Key opaque'],
  ['opaque', { HEDRON_AUTH_SCHEME: 'other' }, 'Bearer opaque'],
])('%s with %j is sent as %s', (token, environment, header) =>
  expect(authorizationHeader(token, environment)).toBe(header),
)

describe('which credential', () => {
  const saved = { url: 'https://saved.example', apiKey: 'saved-key' }
  const config = { defaultContext: 'default', contexts: new Map([['default', saved]]) }
  const none = { apiUrl: undefined, token: undefined, context: undefined }

  test('flag, then environment, then context; address and token each for itself', () => {
    expect(resolveCredentials(config, none, {})).toEqual({ url: 'https://saved.example', token: 'saved-key' })
    expect(resolveCredentials(config, none, { HEDRON_API_KEY: 'env-key' })).toEqual({
      url: 'https://saved.example',
      token: 'env-key',
    })
    expect(
      resolveCredentials(config, { ...none, apiUrl: 'other.example', token: 't' }, { HEDRON_API_KEY: 'e' }),
    ).toEqual({
      url: 'https://other.example',
      token: 't',
    })
  })

  test('a variable that is set to nothing is not set', () => {
    expect(resolveCredentials(config, none, { HEDRON_API_URL: '', HEDRON_API_KEY: ' ' })).toEqual({
      url: 'https://saved.example',
      token: 'saved-key',
    })
  })

  test('an unknown context is refused even where flags give everything', () => {
    expect(() => resolveCredentials(config, { apiUrl: 'a', token: 'b', context: 'x' }, {})).toThrow(
      'context `x` not found',
    )
  })

  test('an address of slashes alone is empty', () => {
    expect(() => resolveCredentials(config, { ...none, apiUrl: '//' }, {})).toThrow('API URL is empty')
  })
})
