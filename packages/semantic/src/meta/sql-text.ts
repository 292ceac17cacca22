import type { BoundSql, FilterColumn, SqlReference } from '../shapes/model.ts'

/** SQL as an author writes it, with `{CUBE}` for the cube whose it is. */
export function textOf({ parts }: BoundSql, own: string): string {
  return parts.map(part => (typeof part === 'string' ? part : referenceText(part, own))).join('')
}

function referenceText(part: SqlReference, own: string): string {
  const of = (cube: string) => (cube === own ? 'CUBE' : cube)
  switch (part.kind) {
    case 'table':
      return `{${of(part.cube)}}`
    case 'source':
      return `{${of(part.cube)}.sql()}`
    case 'member':
      return `{${of(part.cube)}.${part.member}}`
    case 'granularity':
      return `{${of(part.cube)}.${part.member}.${part.granularity}}`
    case 'filterParams':
      return `{FILTER_GROUP(${part.params.map(({ member, column }) => `FILTER_PARAMS.${member}.filter(${columnText(column, own)})`).join(', ')})}`
    case 'localTime':
      return `{SQL_UTILS.convertTz(${JSON.stringify(textOf(part.sql, own))})}`
    case 'urlEncoded':
      return textOf(part.sql, own)
    case 'securityContext':
      return `{SECURITY_CONTEXT.${part.path.join('.')}.${part.use}(${part.column ? columnText(part.column, own) : ''})}`
    case 'constant':
      return part.value
    case 'argument':
      return `\${${part.position}}`
  }
}

const columnText = ({ sql }: FilterColumn, own: string) => JSON.stringify(textOf(sql, own))
