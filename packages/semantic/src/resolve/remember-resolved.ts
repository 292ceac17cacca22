import type { ProblemLog } from '../messages/model-messages.ts'
import type { JoinShape } from './join-shape.ts'
import type { MemberSpec, Names } from './names.ts'

interface Kept<R> {
  readonly result: R
  readonly members: readonly { readonly cube: string; readonly answer: ReadonlyMap<string, MemberSpec> | undefined }[]
  readonly shape: JoinShape
  readonly joins: readonly { readonly from: string; readonly to: string; readonly isJoined: boolean }[]
  readonly components: ReadonlyMap<string, number>
  /** Said again each time that the result is taken. */
  readonly repeatWarnings: readonly ((log: ProblemLog) => void)[]
}

/**
 * Resolves a definition once, and again only when something that it asked of `names` has another answer. A definition is
 * the same as long as its tree and, with `extends`, its parents' are kept. Where problems were found, or could have been
 * held back because something is incomplete, nothing is remembered.
 */
export function rememberResolved<S extends object, R>(resolve: (spec: S, names: Names) => R): Remembered<S, R> {
  const kept = new WeakMap<S, Kept<R>>()
  const remembered = (spec: S, names: Names): R => {
    if (!names.isComplete) return resolve(spec, names)
    const known = kept.get(spec)
    if (known && isStillTrue(known, names)) {
      for (const repeat of known.repeatWarnings) repeat(names.log)
      return known.result
    }
    const members = new Map<string, ReadonlyMap<string, MemberSpec> | undefined>()
    const joins: { from: string; to: string; isJoined: boolean }[] = []
    const components = new Map<string, number>()
    const repeatWarnings: ((log: ProblemLog) => void)[] = []
    let isSound = true
    const result = resolve(spec, {
      ...names,
      membersOf(cube) {
        const answer = names.membersOf(cube)
        members.set(cube, answer)
        return answer
      },
      joins: {
        isJoined(from, to) {
          const answer = names.joins.isJoined(from, to)
          joins.push({ from, to, isJoined: answer })
          return answer
        },
        componentOf(cube) {
          const answer = names.joins.componentOf(cube)
          components.set(cube, answer)
          return answer
        },
      },
      log: {
        problems: names.log.problems,
        warnings: names.log.warnings,
        warn(at, code, details) {
          repeatWarnings.push(log => log.warn(at, code, details))
          names.log.warn(at, code, details)
        },
        report(at, code, details) {
          isSound = false
          names.log.report(at, code, details)
        },
      },
    })
    if (isSound) {
      const asked = [...members].map(([cube, answer]) => ({ cube, answer }))
      kept.set(spec, { result, members: asked, shape: names.joins, joins, components, repeatWarnings })
    }
    return result
  }
  return Object.assign(remembered, { askedOf: (spec: S) => kept.get(spec)?.members.map(({ cube }) => cube) ?? [] })
}

export interface Remembered<S, R> {
  (spec: S, names: Names): R
  /** The cubes whose members a definition asked about when it was last resolved; empty for one that is not remembered. */
  askedOf(spec: S): readonly string[]
}

function isStillTrue({ members, shape, joins, components }: Kept<unknown>, names: Names): boolean {
  for (const { cube, answer } of members) if (names.membersOf(cube) !== answer) return false
  if (shape === names.joins) return true
  for (const [cube, answer] of components) if (names.joins.componentOf(cube) !== answer) return false
  return joins.every(({ from, to, isJoined }) => names.joins.isJoined(from, to) === isJoined)
}
