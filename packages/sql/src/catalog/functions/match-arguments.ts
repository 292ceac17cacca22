import { coerce, settle } from '../evaluate/coerce.ts'
import type { Compiler, Expression } from '../evaluate/expression.ts'
import { isArrayType, isNumeric, isTextual } from '../values/types.ts'

/** Arguments as a function takes them; undefined where it does not take these. */
export function matchArguments(
  compiler: Compiler,
  takes: readonly string[],
  given: readonly Expression[],
): readonly Expression[] | undefined {
  const last = takes.at(-1)
  const variadic = last?.endsWith('...') === true
  if (variadic ? given.length < takes.length - 1 : given.length !== takes.length) return undefined
  const wanted = given.map((_, index) =>
    variadic && index >= takes.length - 1 ? (last?.slice(0, -3) ?? 'any') : (takes[index] ?? 'any'),
  )
  if (!given.every(({ type }, index) => fits(type, wanted[index] ?? 'any'))) return undefined
  return given.map((argument, index) => {
    const type = wanted[index] ?? 'any'
    if (type === 'any') return settle(compiler, argument)
    return type === 'list'
      ? argument.type === 'unknown'
        ? coerce(compiler, argument, '_text')
        : argument
      : coerce(compiler, argument, type)
  })
}

function fits(type: string, wanted: string): boolean {
  if (type === wanted || wanted === 'any' || type === 'unknown') return true
  if (wanted === 'list') return isArrayType(type)
  if (isTextual(wanted)) return isTextual(type)
  return isNumeric(wanted) && isNumeric(type)
}
