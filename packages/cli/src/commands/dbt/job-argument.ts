import { nonBlank, required } from '../../framework/parameter.ts'

export const syncJobArgument = required(
  nonBlank('sync-job', 'names no sync'),
  'id of the sync, as `hedron dbt sync` prints it',
)
