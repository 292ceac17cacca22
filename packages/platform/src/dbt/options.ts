import { CodedError } from '@hedron/contract'

/** How models become cubes; set by variables of the deployment. */
export interface SyncOptions {
  readonly outputPath: string
  readonly namePrefix: string
  readonly titlePrefix: string
  /** Models below these folders of the dbt project alone; none: all. */
  readonly folders: readonly string[]
  readonly defaultMeasures: boolean
  readonly descriptions: boolean
  readonly joins: boolean
  readonly reverseJoins: boolean
  readonly keysFromTests: boolean
  readonly keysFromNames: boolean
  readonly keySuffixes: readonly string[]
}

/** @throws {CodedError} `dbt_option_invalid`. */
export function readOptions(variables: Readonly<Record<string, string>>): SyncOptions {
  const text = (name: string, initial: string) => variables[`HEDRON_DBT_${name}`] ?? initial
  const list = (name: string, initial = '') =>
    text(name, initial)
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
  const flag = (name: string, initial: boolean) => {
    const value = text(name, String(initial)).trim().toLowerCase()
    if (value !== 'true' && value !== 'false') {
      throw new CodedError('dbt_option_invalid', { name: `HEDRON_DBT_${name}`, reason: 'is neither true nor false' })
    }
    return value === 'true'
  }
  const outputPath = text('OUTPUT_PATH', 'model/cubes/dbt').replaceAll(/^\/+|\/+$/g, '')
  if (!/^model(\/[A-Za-z0-9_-]+)+$/.test(outputPath)) {
    const reason = 'must be a folder of its own below model/, such as model/cubes/dbt: the sync replaces what is in it'
    throw new CodedError('dbt_option_invalid', { name: 'HEDRON_DBT_OUTPUT_PATH', reason })
  }
  const namePrefix = text('NAME_PREFIX', 'dbt_')
  if (!/^[A-Za-z0-9_]*$/.test(namePrefix)) {
    const reason = 'may hold letters, digits and underscores'
    throw new CodedError('dbt_option_invalid', { name: 'HEDRON_DBT_NAME_PREFIX', reason })
  }
  return {
    outputPath,
    namePrefix,
    titlePrefix: text('TITLE_PREFIX', '(dbt) '),
    folders: list('FOLDERS'),
    defaultMeasures: flag('DEFAULT_MEASURES', true),
    descriptions: flag('DESCRIPTIONS', true),
    joins: flag('JOINS', true),
    reverseJoins: flag('REVERSE_JOINS', false),
    keysFromTests: flag('KEYS_FROM_TESTS', true),
    keysFromNames: flag('KEYS_FROM_NAMES', true),
    keySuffixes: list('KEY_SUFFIXES', '_id'),
  }
}
