import type { ProblemLog } from '../messages/model-messages.ts'
import type { Located, MemberPath } from '../shapes/tree.ts'

const depthLimit = 64

interface Extending {
  readonly name: Located<string>
  readonly extends: MemberPath | null
}

/**
 * Replaces `extends` by what it stands for.
 *
 * @param kind what is extended, for messages
 * @param merge gives the child with what it inherits; the same result for the same two, so that it can be remembered
 * @param mayExist whether a name that is not there may stand in a file that could not be read
 */
export function extendSpecs<T extends Extending>(
  kind: 'Cube' | 'View',
  specs: ReadonlyMap<string, T>,
  merge: (parent: T) => (child: T) => T,
  mayExist: (name: string) => boolean,
  log: ProblemLog,
): Map<string, T> {
  const extended = new Map<string, T>()
  const extend = (spec: T, children: readonly string[]): T => {
    const done = extended.get(spec.name.value)
    if (done) return done
    const parent = parentOf(spec, children)
    const result = parent ? merge(extend(parent, [...children, spec.name.value]))(spec) : spec
    extended.set(spec.name.value, result)
    return result
  }
  const parentOf = (spec: T, children: readonly string[]): T | null => {
    if (!spec.extends) return null
    const name = spec.extends.value.join('.')
    const parent = specs.get(name)
    if (children.length >= depthLimit) {
      log.report(spec.extends.at, 'extends_too_deep', { limit: depthLimit })
      return null
    }
    const path = [...children, spec.name.value]
    if (path.includes(name)) {
      log.report(spec.extends.at, 'extends_circle', { path: [...path.slice(path.indexOf(name)), name] })
      return null
    }
    if (!parent && !mayExist(name))
      log.report(spec.extends.at, 'extends_missing', { kind, name, known: [...specs.keys()] })
    return parent ?? null
  }
  for (const spec of specs.values()) extend(spec, [])
  return extended
}
