import { CodedError } from '@hedron/contract'

/** Where the dbt project is; set by variables of the deployment. */
export interface DbtRepository {
  readonly url: string
  readonly ref: string | null
  /** Folder of the project in the repository; empty: its root. */
  readonly folder: string
}

/** @returns null where none is set. @throws {CodedError} `dbt_option_invalid`. */
export function readRepository(variables: Readonly<Record<string, string>>): DbtRepository | null {
  const url = variables.HEDRON_DBT_REPOSITORY?.trim() ?? ''
  if (url === '') return null
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const reason = 'is no http or https address of a git repository'
    throw new CodedError('dbt_option_invalid', { name: 'HEDRON_DBT_REPOSITORY', reason })
  }
  const folder = (variables.HEDRON_DBT_FOLDER ?? '').trim().replaceAll(/^\/+|\/+$/g, '')
  if (folder.split('/').some(part => part === '..' || part === '.' || part.includes('\\'))) {
    throw new CodedError('dbt_option_invalid', { name: 'HEDRON_DBT_FOLDER', reason: 'is no folder of the repository' })
  }
  return { url, ref: variables.HEDRON_DBT_BRANCH?.trim() || null, folder }
}
