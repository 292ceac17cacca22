import type { SubLink } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { arrayOf } from '../values/types.ts'
import type { Value } from '../values/value.ts'
import { settle } from './coerce.ts'
import { type Expression, type ExpressionCompiler, namesOf } from './expression.ts'
import { binary, quantified } from './operators.ts'
import { type Frame, once } from './run.ts'

/** A query inside an expression. What does not depend on the row runs once. */
export function compileSubquery(compile: ExpressionCompiler, link: SubLink): Expression {
  const { compiler, scope } = compile
  if (!link.subselect) throw new CatalogError('42601', 'a subquery is missing', link.location)
  const relation = compiler.select(link.subselect, scope)
  const key = {}
  const rowsOf = (frame: Frame) => {
    frame.run.spend(1)
    return relation.constant ? once(frame.run, key, () => relation.rows(frame)) : relation.rows(frame)
  }
  const [column] = relation.columns
  const single = (): string => {
    if (relation.columns.length === 1 && column) return column.type
    throw new CatalogError('42601', 'subquery must return only one column', link.location)
  }
  switch (link.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { type: 'bool', name: 'exists', run: frame => rowsOf(frame).length > 0 }
    case 'EXPR_SUBLINK':
      return {
        type: single(),
        ...(column ? { name: column.name, row: column.row } : {}),
        run: frame => {
          const rows = rowsOf(frame)
          if (rows.length > 1) {
            throw new CatalogError('21000', 'more than one row returned by a subquery used as an expression')
          }
          return rows[0]?.[0] ?? null
        },
      }
    case 'ARRAY_SUBLINK':
      return { type: arrayOf(single()), name: 'array', run: frame => rowsOf(frame).map(row => row[0] ?? null) }
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const left = settle(compiler, compile(link.testexpr))
      let item: Value = null
      const operator = namesOf(link.operName).at(-1) ?? '='
      const test = binary(compiler, operator, left, { type: single(), run: () => item }, link.location)
      const all = link.subLinkType === 'ALL_SUBLINK'
      return {
        type: 'bool',
        run: frame => {
          const rows = rowsOf(frame)
          frame.run.spend(rows.length)
          return quantified(
            rows.map(row => row[0] ?? null),
            all,
            value => {
              item = value
              return test.run(frame)
            },
          )
        },
      }
    }
    default:
      throw notSupported('this kind of subquery', link.location)
  }
}
