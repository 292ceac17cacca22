import type { Node } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { settle } from './coerce.ts'
import { field } from './compile-indirection.ts'
import { type Expression, type ExpressionCompiler, namesOf } from './expression.ts'
import { findRelation, frameAt } from './scope.ts'

/** A column of the output. */
export type Target = Expression & { readonly name: string }

/** Understands what is selected; `*` becomes its columns. */
export function compileTargets(compile: ExpressionCompiler, nodes: readonly Node[]): readonly Target[] {
  return nodes.flatMap(node => {
    if (!('ResTarget' in node)) throw notSupported('this kind of output')
    const { val, name } = node.ResTarget
    if (val && 'ColumnRef' in val) {
      const star = starOf(compile, val.ColumnRef.fields ?? [])
      if (star) return star
    }
    if (val && 'A_Indirection' in val && val.A_Indirection.indirection?.some(step => 'A_Star' in step)) {
      return fieldsOf(compile(val.A_Indirection.arg))
    }
    const expression = settle(compile.compiler, compile(val))
    return [{ ...expression, name: name ?? expression.name ?? '?column?' }]
  })
}

function starOf({ scope }: ExpressionCompiler, fields: readonly Node[]): readonly Target[] | undefined {
  const last = fields.at(-1)
  if (!last || !('A_Star' in last)) return undefined
  const relation = namesOf(fields.slice(0, -1)).at(-1)
  if (relation === undefined) {
    return scope.columns.flatMap(({ name, type, row }, index) => {
      if (scope.merged.has(index)) return []
      scope.used.add(index)
      return [{ name, type, row, run: frame => frame.row[index] ?? null } satisfies Target]
    })
  }
  const found = findRelation(scope, relation)
  if (!found) throw new CatalogError('42P01', `missing FROM-clause entry for table "${relation}"`)
  return found.all.map(({ depth, index, column: { name, type, row } }) => ({
    name,
    type,
    row,
    run: frame => frameAt(frame, depth).row[index] ?? null,
  }))
}

function fieldsOf(expression: Expression): readonly Target[] {
  if (!expression.row) throw new CatalogError('42809', 'a value of this type has no fields')
  return expression.row.names.map(name => ({ ...field(expression, name), name }))
}
