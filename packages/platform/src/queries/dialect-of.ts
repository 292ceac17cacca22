import { type DataSource, unsupportedSource } from '@hedron/query'
import { type DialectName, dialectNames } from '@hedron/semantic'

/** Which SQL a data source reads. @throws QueryServiceError `source_unsupported` */
export function dialectOf(source: DataSource): DialectName {
  const dialect = dialectNames.find(name => name === source.type)
  if (!dialect) throw unsupportedSource(source, dialectNames)
  return dialect
}
