import { createHash } from 'node:crypto'
import type { RollupPartition } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { partitionKey } from './rollup-state.ts'

/** A name as the field gives tables (contract/behaviour/data-model.md section 7); no file is called so. */
export function tableNameOf({ name, hash }: RollupDefinition, partition: RollupPartition | null): string {
  const digest = createHash('sha256').update(partitionKey(partition)).digest('hex').slice(0, 8)
  const [from] = partition?.range ?? [null]
  const part = partition === null ? '' : (from ?? 'first').replace(/[^0-9a-z]/g, '').slice(0, 10)
  return `${name.replace('.', '_')}${part}_${hash.slice(0, 8)}_${digest}`
}
