import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf } from '../framework/json.ts'
import { nonBlank, optional, text, withDefault } from '../framework/parameter.ts'
import { readConfig, updateConfig } from '../session/config-file.ts'
import { normalizeUrl } from '../session/credentials.ts'
import { createSession } from '../session/session.ts'

export const login = command({
  details: 'Checks the key with the server, saves it under a name and makes that the one in use.',
  examples: [
    'hedron login --url http://localhost:4000 --api-key sk-0123456789abcdef',
    'hedron login --url https://analytics.example.com --api-key - --name production',
  ],
  arguments: {},
  options: {
    url: optional(text('url'), 'address of the server'),
    apiKey: optional(text('key'), 'API key, or - to read it from the standard input'),
    name: withDefault(nonBlank('name', 'names no context'), 'default', 'name to save it under'),
  },
  async run({ url, apiKey, name }, { effects, output, globals }) {
    const saved = (await readConfig(effects)).contexts.get(name)?.url
    const address = normalizeUrl(url ?? globals.apiUrl ?? effects.environment.HEDRON_API_URL ?? saved ?? '')
    if (address === '') throw new Failure('login_url_missing')
    if (apiKey === undefined) throw new Failure('device_login_unavailable')
    const token = (apiKey === '-' ? await effects.readInput() : apiKey).trim()
    if (token === '') throw new Failure('login_key_empty')

    const email = displayValue(fieldOf(await createSession({ url: address, token }, effects).client.getMe({}), 'email'))
    const path = await updateConfig(effects, ({ contexts }) => ({
      defaultContext: name,
      contexts: new Map([...contexts, [name, { url: address, apiKey: token }]]),
    }))
    output.result({ context: name, email, path, url: address }, () =>
      output.success(`Logged in as ${email} (context '${name}', saved to ${path})`),
    )
  },
})
