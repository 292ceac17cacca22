import type { FuncCall } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { settle } from '../evaluate/coerce.ts'
import type { Expression, ExpressionCompiler, WindowValue } from '../evaluate/expression.ts'
import type { Frame } from '../evaluate/run.ts'
import { compareBy } from '../evaluate/select-rows.ts'
import { keyOfRow, type Value } from '../values/value.ts'
import { sortKey } from './call-aggregate.ts'

const ranks = new Set(['row_number', 'rank', 'dense_rank'])

/** Understands a ranking over the rows, as drivers number columns with. */
export function callWindow(compile: ExpressionCompiler, name: string, node: FuncCall): Expression {
  const { collectors, compiler } = compile
  const { over } = node
  if (!ranks.has(name) || !over || over.name || over.refname) throw notSupported(`${name} over a window`, node.location)
  if (!collectors.windows) throw new CatalogError('42P20', 'window functions are not allowed here', node.location)
  const plain = compile.plain()
  const partition = (over.partitionClause ?? []).map(each => settle(compiler, plain(each)))
  const order = (over.orderClause ?? []).map(each => sortKey(plain, each))
  const compare = compareBy(order)
  const window: WindowValue = {
    index: -1,
    compute(frames) {
      frames[0]?.run.spend(frames.length * 4)
      const rows = frames.map((frame, at) => ({
        at,
        group: keyOfRow(partition.map(({ run }) => run(frame))),
        keys: order.map(({ run }) => run(frame)),
      }))
      const result = new Array<Value>(frames.length).fill(null)
      for (const group of Map.groupBy(rows, row => row.group).values()) {
        let [rank, dense] = [0, 0]
        group
          .sort((a, b) => compare(a.keys, b.keys))
          .forEach((row, index, all) => {
            const before = all[index - 1]
            if (!before || compare(before.keys, row.keys) !== 0) {
              rank = index + 1
              dense += 1
            }
            result[row.at] = name === 'row_number' ? index + 1 : name === 'rank' ? rank : dense
          })
      }
      return result
    },
  }
  collectors.windows.push(window)
  return { type: 'int8', name, run: (frame: Frame) => frame.row[window.index] ?? null }
}
