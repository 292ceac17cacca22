import { problems } from '../query-service-error.ts'
import type { Column } from '../shapes/query.ts'

/** How a column of a source is kept in a file and read from it, as DuckDB types. */
export interface KeptColumn {
  readonly name: string
  /** In the file. Null: decided by the values, of as many digits as they have. */
  readonly stored: string | null
  /** What queries see, so that they compute with it as with the source's own type. Null: what is stored. */
  readonly type: string | null
}

const smallIntegers = /^(TINYINT|SMALLINT|MEDIUMINT|INTEGER|INT|BIGINT|UTINYINT|USMALLINT|UINTEGER|OID|YEAR)$/i
const exactDecimal = /^DECIMAL\((\d+),\s*(\d+)\)$/i
/** Texts that are equal when their letters are: no enumerations, whose order is their own, and no folding of case. */
const plainText = /^(VARCHAR|TEXT|CHARACTER VARYING|STRING|NAME)(\(\d+\))?$/i

/**
 * How each column is kept.
 *
 * @param keepsTypes whether they are columns of the engine itself, which are read as the very types that they have
 * @throws QueryServiceError `query_failed` for a column whose values the engine of the rollups can't keep as the source has them
 */
export const keepColumns = (columns: readonly Column[], keepsTypes = false): KeptColumn[] =>
  columns.map(column => (keepsTypes ? keepOwn(column) : undefined) ?? keep(column))

/** Types of the engine that files hold as they are. */
const ownTypes =
  /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE|BOOLEAN|DATE|TIME|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?|VARCHAR|UUID|DECIMAL\(\d+,\s*\d+\))$/i

/** Numbers of more than 64 bits are kept by their digits, and are read as what they are. */
function keepOwn({ name, databaseType }: Column): KeptColumn | undefined {
  const type = databaseType.toUpperCase()
  if (/^U?HUGEINT$/.test(type)) return { name, stored: null, type }
  return ownTypes.test(type) ? { name, stored: type, type } : undefined
}

function keep({ name, type, databaseType }: Column): KeptColumn {
  const as = (stored: string | null, read = stored): KeptColumn => ({ name, stored, type: read })
  switch (type) {
    case 'boolean':
      return as('BOOLEAN')
    case 'integer':
      return smallIntegers.test(databaseType) ? as('BIGINT') : as(null, 'HUGEINT')
    case 'decimal': {
      const exact = exactDecimal.exec(databaseType)
      return exact && Number(exact[1]) <= 38 ? as(databaseType.toUpperCase()) : as(null)
    }
    case 'double':
      return as(/^(FLOAT|REAL)$/i.test(databaseType) ? 'FLOAT' : 'DOUBLE')
    case 'date':
      return as('DATE')
    case 'timestamp':
      return as(/with time zone/i.test(databaseType) ? 'TIMESTAMPTZ' : 'TIMESTAMP')
    case 'string':
      if (plainText.test(databaseType)) return as('VARCHAR')
      if (/^UUID$/i.test(databaseType)) return as('UUID')
      break
    default:
  }
  throw problems.queryFailed(`A rollup can't keep the column "${name}" of type ${databaseType}.`)
}
