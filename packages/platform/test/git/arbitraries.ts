import fc from 'fast-check'

/** Names that meet git's sorting rules from all sides: prefixes of each other, bytes around the slash, beyond U+FFFF. */
const name = fc.oneof(
  fc.constantFrom('a', 'a.b', 'a0', 'a-b', 'ab', 'A', 'a b', 'é', '\uff5e', '😀', 'model', 'model.yml', 'x'),
  fc.stringMatching(/^[a-z0-9_-]{1,6}$/),
)

/** Paths up to four names deep. */
export const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'))

/** Files by path in which no path is a file and a directory at once. */
export const fileSet = fc
  .dictionary(path, fc.string({ maxLength: 20 }), { maxKeys: 25, noNullPrototype: true })
  .map(withoutCollisions)

/** Drops files that stand where another file needs a directory. */
export function withoutCollisions<Value>(files: Record<string, Value>): Record<string, Value> {
  const directories = new Set(Object.keys(files).flatMap(directoriesOf))
  return Object.fromEntries(Object.entries(files).filter(([path]) => !directories.has(path)))
}

/** `a/b/c` gives `a` and `a/b`. */
export function directoriesOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}
