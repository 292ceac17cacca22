type Files = ReadonlyMap<string, string>

interface Personal {
  files: Files
  /** What the parent had when the two were last the same. */
  base: Files
  /** Of the parent, when the two conflicted. */
  conflictWith: number | undefined
}

/**
 * What files and dev branches are to a person, in memory: the oracle of the property test. Files are compared whole, so it holds for
 * contents of one line.
 */
export function createReference(names: readonly string[], files: Files) {
  let main = files
  let version = 0
  const personal = new Map<string, Personal>(names.map(name => [name, { files, base: files, conflictWith: undefined }]))

  const of = (name: string): Personal => {
    const found = personal.get(name)
    if (!found) throw new Error(`nobody is called ${name}`)
    return found
  }

  /** Both sides' changes, or undefined where they disagree and nobody has said that ours is right. */
  function merge({ files, base, conflictWith }: Personal, resolved: boolean): Files | undefined {
    const merged = new Map<string, string>()
    for (const path of new Set([...base.keys(), ...files.keys(), ...main.keys()])) {
      const [before, ours, theirs] = [base.get(path), files.get(path), main.get(path)]
      const isConflict = ours !== before && theirs !== before && ours !== theirs
      if (isConflict && !(resolved && conflictWith === version)) return undefined
      const content = ours === before ? theirs : ours
      if (content !== undefined) merged.set(path, content)
    }
    return merged
  }

  const moveMain = (after: Files) => {
    main = after
    version++
  }

  return {
    main: () => main,
    files: (name: string) => of(name).files,
    write(name: string, changes: ReadonlyMap<string, string | null>) {
      const mine = of(name)
      const files = new Map(mine.files)
      for (const [path, content] of changes) {
        if (content === null) files.delete(path)
        else files.set(path, content)
      }
      mine.files = files
    },
    deploy: (files: Files) => {
      if (!same(files, main)) moveMain(files)
    },
    /** @returns whether it went through. */
    commit(name: string, resolved: boolean): boolean {
      const mine = of(name)
      if (same(mine.files, mine.base)) return true
      const merged = merge(mine, resolved)
      if (!merged) {
        mine.conflictWith = version
        return false
      }
      moveMain(merged)
      Object.assign(mine, { files: merged, base: merged, conflictWith: undefined })
      return true
    },
    /** @returns whether it went through. */
    pull(name: string, resolved: boolean): boolean {
      const mine = of(name)
      const merged = merge(mine, resolved)
      if (!merged) {
        mine.conflictWith = version
        return false
      }
      Object.assign(mine, { files: merged, base: main, conflictWith: undefined })
      return true
    },
  }
}

function same(left: Files, right: Files): boolean {
  return left.size === right.size && [...left].every(([path, content]) => right.get(path) === content)
}
