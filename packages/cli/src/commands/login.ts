import { ApiError } from '@hedron/contract/client'
import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf } from '../framework/json.ts'
import { flag, nonBlank, optional, text, withDefault } from '../framework/parameter.ts'
import { readConfig, type SavedContext, updateConfig } from '../session/config-file.ts'
import { normalizeUrl } from '../session/credentials.ts'
import { logInByDevice } from '../session/device-login.ts'
import { showDevicePrompt } from '../session/device-prompt.ts'
import { errorDetail } from '../session/explain.ts'
import { createSession } from '../session/session.ts'

export const login = command({
  details:
    'Shows a code that you confirm in your browser; with --api-key it takes the key instead. Saves the login under a name and makes that the one in use.',
  examples: [
    'hedron login --url http://localhost:4000',
    'hedron login --url https://analytics.example.com --name production',
    'hedron login --url https://analytics.example.com --api-key -',
  ],
  arguments: {},
  options: {
    url: optional(text('url'), 'address of the server'),
    apiKey: optional(text('key'), 'API key, or - to read it from the standard input'),
    name: withDefault(nonBlank('name', 'names no context'), 'default', 'name to save it under'),
    withoutBrowser: flag('show the address and open no browser'),
  },
  next: () => 'hedron deployments list',
  async run({ url, apiKey, name, withoutBrowser }, { effects, output, globals }) {
    const saved = (await readConfig(effects)).contexts.get(name)?.url
    const known = url ?? globals.apiUrl ?? effects.environment.HEDRON_API_URL ?? saved
    const address = normalizeUrl(
      known ?? (await effects.ask('Address of the server (such as http://localhost:4000): ')) ?? '',
    )
    if (address === '') throw new Failure('login_url_missing')

    const context: SavedContext =
      apiKey === undefined ? await throughBrowser(address) : { url: address, apiKey: await readKey(apiKey) }
    const session = createSession({ url: context.url, token: context.apiKey }, effects)
    const me = await session.client.getMe({}).catch((error: unknown) => {
      if (apiKey === undefined || !(error instanceof ApiError) || error.status !== 401) throw error
      throw new Failure('login_key_refused', { url: context.url, reason: errorDetail(error.body) })
    })
    const email = displayValue(fieldOf(me, 'email'))
    const path = await updateConfig(effects, ({ contexts }) => ({
      defaultContext: name,
      contexts: new Map([...contexts, [name, context]]),
    }))
    output.result({ context: name, email, path, url: context.url }, () =>
      output.success(`Logged in as ${email} (context '${name}', saved to ${path})`),
    )

    async function throughBrowser(server: string): Promise<SavedContext> {
      const tokens = await logInByDevice(effects, server, prompt =>
        showDevicePrompt(effects, output, prompt, !withoutBrowser),
      )
      const { accessToken, refreshToken, url: tenant } = tokens
      return { url: tenant === undefined ? server : normalizeUrl(tenant), apiKey: accessToken, refreshToken }
    }

    async function readKey(given: string): Promise<string> {
      const token = (given === '-' ? await effects.readInput() : given).trim()
      if (token === '') throw new Failure('login_key_empty')
      return token
    }
  },
})
