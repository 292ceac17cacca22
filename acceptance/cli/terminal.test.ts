import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'
import { hasTmux, openTerminal, type Terminal } from './terminal.ts'

const api = sharedApi()
let hedron: Hedron
let apiKey = ''
let terminal: Terminal | undefined
let opened = 0

beforeAll(async () => {
  apiKey = await createKey(api)
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey })
})
afterEach(() => terminal?.close())
afterAll(() => hedron.dispose())

const open = async (environment: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
  // A socket of its own: the server of the one before may not have gone yet.
  terminal = await openTerminal(
    join(hedron.folder, `tmux-${++opened}`),
    { HOME: hedron.folder, ...environment },
    ...argv,
  )
  return terminal
}
const loggedIn = () => ({ HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: apiKey })

describe.runIf(hasTmux)('at a terminal', () => {
  test('login asks for the address, shows the code, and Ctrl-C ends it with nothing saved', async () => {
    const person = await open({}, 'login', '--without-browser')
    await person.shows(/Address of the server/)
    await person.type(api.baseUrl)
    await person.press('Enter')
    const screen = await person.shows(/Waiting for authorization/)
    expect(screen).toContain(`${api.baseUrl}/auth/device`)
    expect(screen).toMatch(/confirm this code: {2}[A-Z0-9]{4}-[A-Z0-9]{4}/)
    await person.press('C-c')
    expect(await person.exitCode()).toBe(130)
    expect(await person.shows(/error: interrupted/)).not.toContain('Logged in')
    expect(await readdir(hedron.folder)).not.toContain('.config')
  })

  test('Ctrl-C at a question ends it too, and nothing was done', async () => {
    const id = await createDeployment(api)
    const person = await open(loggedIn(), 'deployments', 'delete', String(id))
    await person.shows(/Type .+ to confirm:/)
    await person.press('C-c')
    expect(await person.exitCode()).toBe(130)
    await person.shows(/^error: interrupted/m)
    expect((await api.get(`/api/v1/deployments/${id}`)).status).toBe(200)
  })

  test('Ctrl-D at a question is no answer, and what it says begins a line', async () => {
    const id = await createDeployment(api)
    const person = await open(loggedIn(), 'deployments', 'delete', String(id))
    await person.shows(/Type .+ to confirm:/)
    await person.press('C-d')
    expect(await person.exitCode()).toBe(1)
    expect(await person.shows(/^error: .+/m)).not.toContain('Aborted')
    expect((await api.get(`/api/v1/deployments/${id}`)).status).toBe(200)
  })

  test('what is destroyed is asked for by name; anything else leaves it', async () => {
    const id = await createDeployment(api)
    const { name } = (await api.get(`/api/v1/deployments/${id}`)).body
    const wrong = await open(loggedIn(), 'deployments', 'delete', String(id))
    await wrong.shows(/to confirm:/)
    await wrong.type('yes')
    await wrong.press('Enter')
    expect(await wrong.exitCode()).toBe(1)
    await wrong.close()
    const right = await open(loggedIn(), 'deployments', 'delete', String(id))
    await right.shows(/to confirm:/)
    await right.type(String(name))
    await right.press('Enter')
    expect(await right.exitCode()).toBe(0)
    expect(await right.shows(/Next: hedron deployments list/)).toContain(`✓ Deleted deployment ${id}`)
    expect((await api.get(`/api/v1/deployments/${id}`)).status).toBe(404)
  })

  test('a branch is deleted after a yes, and the next command is suggested', async () => {
    const id = String(await createDeployment(api))
    await hedron.succeed('data-model', 'create-branch', id, 'old')
    const no = await open(loggedIn(), 'data-model', 'delete-branch', id, 'old')
    await no.shows(/This will delete branch old\. Continue\? \[y\/N\]/)
    await no.press('Enter')
    expect(await no.exitCode()).toBe(1)
    await no.close()
    const yes = await open(loggedIn(), 'data-model', 'delete-branch', id, 'old')
    await yes.shows(/\[y\/N\]/)
    await yes.type('y')
    await yes.press('Enter')
    expect(await yes.exitCode()).toBe(0)
    expect(await yes.shows(/✓ Deleted branch old/)).toContain(`Next: hedron data-model branches ${id}`)
  })

  test('there is colour, and none with NO_COLOR', async () => {
    const coloured = await open(loggedIn(), 'regions')
    await coloured.exitCode()
    expect(await coloured.withColours()).toContain('\u001b[1mID')
    await coloured.close()
    const plain = await open({ ...loggedIn(), NO_COLOR: '1' }, 'regions')
    await plain.exitCode()
    expect(await plain.withColours()).not.toContain('\u001b[1m')
  })
})
