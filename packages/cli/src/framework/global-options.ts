import { flag, optional, text } from './parameter.ts'

/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  readonly json: boolean
  readonly apiUrl: string | undefined
  readonly token: string | undefined
  readonly context: string | undefined
}

export const globalParameters = {
  json: flag('print JSON instead of tables and sentences'),
  apiUrl: optional(text('url'), 'address of the server (environment: HEDRON_API_URL)'),
  token: optional(text('token'), 'API key or access token (environment: HEDRON_API_KEY)'),
  context: optional(text('name'), 'saved context to use'),
}
