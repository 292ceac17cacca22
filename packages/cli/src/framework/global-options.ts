/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  readonly json: boolean
  readonly apiUrl: string | undefined
  readonly token: string | undefined
  readonly context: string | undefined
}
