import type { A_Expr, Node } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { arrayOf, elementOf, isArrayType } from '../values/types.ts'
import { isArray, type Value } from '../values/value.ts'
import { coerce, settle } from './coerce.ts'
import { type Compiler, type Expression, type ExpressionCompiler, namesOf } from './expression.ts'
import { binary, quantified } from './operators.ts'
import { lazily, negate } from './truth.ts'

/** Operators between expressions, and what SQL writes in words: IN, BETWEEN, NULLIF, IS DISTINCT FROM. */
export function compileOperator(compile: ExpressionCompiler, node: A_Expr): Expression {
  const { compiler } = compile
  const operator = namesOf(node.name).at(-1) ?? ''
  const { location } = node
  const list = (): readonly Node[] => {
    if (node.rexpr && 'List' in node.rexpr) return node.rexpr.List.items ?? []
    throw new CatalogError('42601', 'a list is missing', location)
  }
  switch (node.kind) {
    case 'AEXPR_IN': {
      const left = compile(node.lexpr)
      const tests = list().map(item => binary(compiler, '=', left, compile(item), location))
      const negated = operator === '<>'
      return {
        type: 'bool',
        run: frame => {
          const truth = lazily(tests, false, test => test.run(frame))
          return negated ? negate(truth) : truth
        },
      }
    }
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return quantifiedArray(compile, node, operator)
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const equal = binary(compiler, '=', compile(node.lexpr), compile(node.rexpr), location)
      const [left, right] = [compile(node.lexpr), compile(node.rexpr)]
      const wanted = node.kind === 'AEXPR_NOT_DISTINCT'
      return {
        type: 'bool',
        run: frame => {
          const truth = equal.run(frame) ?? (left.run(frame) === null && right.run(frame) === null)
          return truth === wanted
        },
      }
    }
    case 'AEXPR_NULLIF': {
      const left = settle(compiler, compile(node.lexpr))
      const equal = binary(compiler, '=', left, compile(node.rexpr), location)
      return { type: left.type, name: 'nullif', run: frame => (equal.run(frame) === true ? null : left.run(frame)) }
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN': {
      const [low, high] = list()
      const left = compile(node.lexpr)
      const tests = [binary(compiler, '>=', left, compile(low)), binary(compiler, '<=', left, compile(high))]
      const negated = node.kind === 'AEXPR_NOT_BETWEEN'
      return {
        type: 'bool',
        run: frame => {
          const truth = lazily(tests, true, test => test.run(frame))
          return negated ? negate(truth) : truth
        },
      }
    }
    case 'AEXPR_OP':
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      if (node.lexpr) return binary(compiler, operator, compile(node.lexpr), compile(node.rexpr), location)
      return prefixed(compiler, operator, compile(node.rexpr), location)
    default:
      throw notSupported(`an operator of kind ${node.kind}`, location)
  }
}

function prefixed(compiler: Compiler, operator: string, operandSide: Expression, location?: number): Expression {
  const operand = operandSide.type === 'unknown' ? coerce(compiler, operandSide, 'int4') : operandSide
  if (operator === '+') return operand
  if (operator !== '-') throw notSupported(`the operator ${operator}`, location)
  return {
    type: operand.type,
    run: frame => {
      const value = operand.run(frame)
      return typeof value === 'number' ? -value : null
    },
  }
}

function quantifiedArray(compile: ExpressionCompiler, node: A_Expr, operator: string): Expression {
  const { compiler } = compile
  const left = compile(node.lexpr)
  const given = compile(node.rexpr)
  const list = given.type === 'unknown' ? coerce(compiler, given, arrayOf(left.type)) : given
  if (!isArrayType(list.type))
    throw new CatalogError('42809', 'op ANY/ALL (array) requires array on right side', node.location)
  let item: Value = null
  const test = binary(compiler, operator, left, { type: elementOf(list.type), run: () => item }, node.location)
  const all = node.kind === 'AEXPR_OP_ALL'
  return {
    type: 'bool',
    run: frame => {
      const values = list.run(frame)
      if (!isArray(values)) return null
      frame.run.spend(values.length)
      return quantified(
        values.flatMap(value => (isArray(value) ? value : [value])),
        all,
        value => {
          item = value
          return test.run(frame)
        },
      )
    },
  }
}
