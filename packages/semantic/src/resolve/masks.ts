import type { Mask } from '../shapes/model.ts'
import type { MaskSpec } from '../shapes/tree.ts'
import { bindSql, type SqlPlace } from './bind-sql.ts'
import type { Names } from './names.ts'

export const resolveMask = (spec: MaskSpec, place: SqlPlace, names: Names): Mask =>
  spec.kind === 'literal'
    ? spec
    : { kind: 'sql', sql: bindSql(spec.sql, { ...place, of: `'mask' of ${place.of}` }, names) }
