import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configPath, readConfig, updateConfig } from '../../src/session/config-file.ts'

let folder = ''
let path = ''
let counter = 0
const effects = () => ({
  environment: { XDG_CONFIG_HOME: folder },
  platform: 'linux' as const,
  homeDirectory: folder,
  now: () => Date.now(),
  sleep: (milliseconds: number) => delay(milliseconds),
  randomId: () => `run-${++counter}`,
})
const addContext = (name: string) =>
  updateConfig(effects(), ({ defaultContext, contexts }) => ({
    defaultContext: defaultContext ?? name,
    contexts: new Map([...contexts, [name, { url: `https://${name}.example`, apiKey: `key of "${name}"` }]]),
  }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedron-config-'))
  path = join(folder, 'hedron', 'config.toml')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the file is where the system expects it', () => {
  const at = (environment: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    configPath({ ...effects(), environment, platform, homeDirectory: '/home/ada' })
  expect(at({})).toBe('/home/ada/.config/hedron/config.toml')
  expect(at({ XDG_CONFIG_HOME: '/etc/xdg' })).toBe('/etc/xdg/hedron/config.toml')
  expect(at({ XDG_CONFIG_HOME: 'relative' })).toBe('/home/ada/.config/hedron/config.toml')
  expect(at({ APPDATA: '/roaming' }, 'win32')).toBe('/roaming/hedron/config.toml')
})

test('runs side by side lose nothing of each other', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `context-${String(index).padStart(2, '0')}`)
  await Promise.all(names.map(addContext))
  const { contexts } = await readConfig(effects())
  expect([...contexts.keys()]).toEqual(names)
  expect(contexts.get('context-07')).toEqual({
    url: 'https://context-07.example',
    apiKey: 'key of "context-07"',
    refreshToken: undefined,
  })
  expect(await readdir(dirname(path))).toEqual(['config.toml'])
})

test('keys of other versions stay, and so does a refresh token', async () => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(
    path,
    'theme = "dark"\ndefault_context = "a"\n\n[contexts.a]\nurl = "https://a"\napi_key = "k"\nrefresh_token = "r"\nregion = "eu"\n',
  )
  await addContext('b')
  const text = await readFile(path, 'utf8')
  expect(text).toContain('theme = "dark"')
  expect(text).toContain('region = "eu"')
  expect((await readConfig(effects())).contexts.get('a')).toEqual({ url: 'https://a', apiKey: 'k', refreshToken: 'r' })
  expect((await readConfig(effects())).defaultContext).toBe('a')
})

test('a linked file stays a link', async () => {
  const target = join(folder, 'dotfiles.toml')
  await writeFile(target, '')
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
  await addContext('a')
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect(await readFile(target, 'utf8')).toContain('[contexts.a]')
})

test('a lock that a dead run left is taken over; a fresh one is waited for and then named', async () => {
  await mkdir(dirname(path), { recursive: true })
  const lock = `${path}.lock`
  await writeFile(lock, 'dead')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)
  await addContext('a')
  expect((await readConfig(effects())).contexts.has('a')).toBe(true)

  await writeFile(lock, 'alive')
  let now = Date.now()
  const impatient = {
    ...effects(),
    now: () => now,
    sleep: async () => {
      now += 1_000
    },
  }
  await expect(updateConfig(impatient, config => config)).rejects.toThrow(`another run of hedron holds ${lock}`)
  expect(await readFile(lock, 'utf8')).toBe('alive')
})

test.each([
  ['not toml =', 'failed to parse'],
  ['contexts = 1', 'contexts is not a table'],
  ['[contexts.a]\nurl = "x"', 'contexts.a.api_key is missing'],
  ['[contexts.a]\nurl = 1\napi_key = "k"', 'contexts.a.url is not a string'],
])('%j is refused with its path', async (text, message) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  await expect(readConfig(effects())).rejects.toThrow(message)
  await expect(readConfig(effects())).rejects.toThrow(path)
})

test('a failing change leaves the file and no lock behind', async () => {
  await addContext('a')
  const before = await readFile(path, 'utf8')
  const broken = updateConfig(effects(), () => {
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect(await readFile(path, 'utf8')).toBe(before)
  expect(await readdir(dirname(path))).toEqual(['config.toml'])
})
