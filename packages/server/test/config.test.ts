import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

describe('the environment', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      baseUrl: null,
      databaseUrl: null,
      account: 'hedron',
      adminEmail: 'admin@localhost',
      demo: true,
      continueWaitMs: 5000,
      dataRateLimit: 100,
      queries: {
        cacheBytes: 256 * 2 ** 20,
        resultBytes: 64 * 2 ** 20,
        queued: 500,
        embeddedRunning: 4,
        stallMs: 30_000,
      },
    })
  })

  test('blank means unset, as shells write it', () => {
    expect(readConfig({ HEDRON_PORT: '', HEDRON_DATABASE_URL: ' ', HEDRON_DEMO: '' })).toMatchObject({
      port: 4000,
      databaseUrl: null,
      demo: true,
    })
  })

  test('the address of Redis is that of Redis', () => {
    expect(readConfig({ HEDRON_REDIS_URL: 'rediss://:secret@cache.example:6380/2' }).redisUrl).toMatch(/^rediss:/)
    expect(readConfig({}).redisUrl).toBeNull()
    for (const url of ['http://cache.example', 'redis://', 'cache.example:6379']) {
      expect(() => readConfig({ HEDRON_REDIS_URL: url })).toThrow(
        'HEDRON_REDIS_URL: must begin with redis:// or rediss://',
      )
    }
    expect(() => readConfig({ HEDRON_REDIS_URL: 'redis://cache.example/results' })).toThrow(
      'HEDRON_REDIS_URL: must end with the host or the number of a database',
    )
  })

  test('what queries may take is read in megabytes and seconds', () => {
    const environment = {
      HEDRON_QUERY_CACHE_MB: '1024',
      HEDRON_QUERY_RESULT_MB: '0',
      HEDRON_QUERY_QUEUE: '50',
      HEDRON_EMBEDDED_QUERIES: '8',
      HEDRON_STREAM_STALL_SECONDS: '2.5',
    }
    expect(() => readConfig(environment)).toThrow('HEDRON_QUERY_RESULT_MB')
    expect(readConfig({ ...environment, HEDRON_QUERY_RESULT_MB: '128' }).queries).toEqual({
      cacheBytes: 2 ** 30,
      resultBytes: 2 ** 27,
      queued: 50,
      embeddedRunning: 8,
      stallMs: 2_500,
    })
  })

  test('a base URL loses its trailing slashes', () => {
    expect(readConfig({ HEDRON_BASE_URL: 'https://hedron.example//' }).baseUrl).toBe('https://hedron.example')
  })

  test.each([
    [{ HEDRON_PORT: 'http' }, 'HEDRON_PORT'],
    [{ HEDRON_PORT: '70000' }, 'HEDRON_PORT'],
    [{ HEDRON_BASE_URL: 'javascript:alert(1)' }, 'HEDRON_BASE_URL'],
    [{ HEDRON_BOOTSTRAP_API_KEY: 'sk-short' }, 'sk- and 32 or more'],
    [{ HEDRON_ADMIN_EMAIL: 'admin' }, 'must be an e-mail address'],
    [{ HEDRON_ADMIN_PASSWORD: 'short' }, 'HEDRON_ADMIN_PASSWORD'],
    [{ HEDRON_SECRET_KEY: 'abc' }, 'must be 64 hexadecimal digits'],
    [{ HEDRON_DEMO: 'yes' }, 'HEDRON_DEMO'],
    [{ HEDRON_DATA_RATE_LIMIT: '-1' }, 'HEDRON_DATA_RATE_LIMIT'],
    [{ HEDRON_DATA_RATE_LIMIT: 'none' }, 'HEDRON_DATA_RATE_LIMIT'],
    [{ HEDRON_QUERY_CACHE_MB: '32' }, 'HEDRON_QUERY_CACHE_MB: 32 is less than HEDRON_QUERY_RESULT_MB, 64'],
    [{ HEDRON_EMBEDDED_QUERIES: '2.5' }, 'HEDRON_EMBEDDED_QUERIES'],
    [{ HEDRON_STREAM_STALL_SECONDS: '0' }, 'HEDRON_STREAM_STALL_SECONDS'],
  ])('%j is refused by name', (environment, text) => {
    expect(() => readConfig(environment)).toThrow(ConfigError)
    expect(() => readConfig(environment)).toThrow(text)
  })

  test('every problem is told at once, and no secret', () => {
    const environment = { HEDRON_PORT: 'x', HEDRON_ADMIN_PASSWORD: 'hunter2', HEDRON_SECRET_KEY: 'topsecret' }
    expect(() => readConfig(environment)).toThrow(/HEDRON_PORT[\s\S]*HEDRON_ADMIN_PASSWORD[\s\S]*HEDRON_SECRET_KEY/)
    expect(() => readConfig(environment)).not.toThrow(/hunter2|topsecret/)
  })
})

describe('language models', () => {
  const read = (environment: NodeJS.ProcessEnv) => readConfig(environment).languageModels

  test('there is none unless one is set', () => {
    expect(read({})).toEqual({
      main: null,
      keys: { openai: null, anthropic: null },
      silenceMs: 60_000,
      turnTokens: 200_000,
      allowsLoopback: false,
    })
  })

  test('a key is enough for its provider', () => {
    expect(read({ OPENAI_API_KEY: 'sk-o' })).toMatchObject({ main: null, keys: { openai: 'sk-o', anthropic: null } })
    expect(read({ ANTHROPIC_API_KEY: 'sk-a', HEDRON_LLM_MODEL: 'claude-sonnet-4-5' }).main).toEqual({
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      baseUrl: null,
      apiKey: 'sk-a',
    })
  })

  test('a base URL is that of a compatible server, which gets no key of another', () => {
    const environment = { HEDRON_LLM_BASE_URL: 'http://localhost:11434/v1/', HEDRON_LLM_MODEL: 'qwen3' }
    const main = { provider: 'openai-compatible', model: 'qwen3', baseUrl: 'http://localhost:11434/v1', apiKey: null }
    expect(read({ ...environment, OPENAI_API_KEY: 'sk-o' }).main).toEqual(main)
    expect(read({ ...environment, OPENAI_API_KEY: 'sk-o', HEDRON_LLM_PROVIDER: 'openai' }).main).toEqual({
      ...main,
      provider: 'openai',
    })
    expect(read({ ...environment, HEDRON_LLM_API_KEY: 'sk-l' }).main).toEqual({ ...main, apiKey: 'sk-l' })
  })

  test.for<[what: string, environment: NodeJS.ProcessEnv, message: RegExp]>([
    [
      'a provider without a model',
      { HEDRON_LLM_PROVIDER: 'openai' },
      /HEDRON_LLM_MODEL: must be set beside HEDRON_LLM_PROVIDER/,
    ],
    ['a model of nobody', { HEDRON_LLM_MODEL: 'x' }, /HEDRON_LLM_PROVIDER: must be set/],
    [
      'a model of one of two',
      { HEDRON_LLM_MODEL: 'x', OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' },
      /HEDRON_LLM_PROVIDER: must be set/,
    ],
    [
      'a compatible server nowhere',
      { HEDRON_LLM_MODEL: 'x', HEDRON_LLM_PROVIDER: 'openai-compatible' },
      /HEDRON_LLM_BASE_URL/,
    ],
    [
      'a provider without its key',
      { HEDRON_LLM_MODEL: 'x', HEDRON_LLM_PROVIDER: 'anthropic' },
      /HEDRON_LLM_API_KEY: must be set, or ANTHROPIC_API_KEY/,
    ],
    ['a provider that there is not', { HEDRON_LLM_PROVIDER: 'abacus' }, /HEDRON_LLM_PROVIDER/],
    ['an address that is none', { HEDRON_LLM_BASE_URL: 'file:///etc/passwd' }, /HEDRON_LLM_BASE_URL/],
  ])('%s is refused by name', ([, environment, message]) => {
    expect(() => readConfig(environment)).toThrow(ConfigError)
    expect(() => readConfig(environment)).toThrow(message)
  })
})
