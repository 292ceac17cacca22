/** Scopes that a data-API token can be limited to (contract/behaviour/query.md section 1). */
export const defaultScopes = ['graphql', 'meta', 'data', 'sql'] as const

/** Who asks the data API: the bearer of a token of one deployment, for one of its branches. */
export interface DataCaller {
  readonly accountId: number
  readonly deploymentId: number
  /** Branch of a `/dev-mode/<branch>/` address; null: production. */
  readonly branchName: string | null
  /** The token's payload. */
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly groups: readonly string[]
  readonly userAttributes: Readonly<Record<string, unknown>>
  readonly scopes: ReadonlySet<string>
  /** His token is signed with the playground secret, so answers tell him how they were found. */
  readonly isPlayground?: true
}

/** Whether answers say how they were found: to whoever works on the model (contract/behaviour/query.md section 5). */
export const isDeveloping = ({ branchName, isPlayground }: DataCaller): boolean =>
  branchName !== null || isPlayground === true
