/** A piece of text that stands in a program in place of what its author wrote from `start` to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Among edits at one place, the lower comes first. */
  readonly order: number
}

/** A changed program, and where its places are in what was written. Line breaks are never removed or added. */
export interface ProgramText {
  readonly text: string
  toSource(offset: number): number
}

export function applyEdits(source: string, edits: readonly Edit[]): ProgramText {
  const ordered = edits.toSorted((left, right) => left.start - right.start || left.order - right.order)
  let text = ''
  let at = 0
  const steps: { readonly written: number; readonly source: number; readonly isCopy: boolean }[] = [
    { written: 0, source: 0, isCopy: true },
  ]
  for (const edit of ordered) {
    if (edit.start < at) continue
    text += source.slice(at, edit.start)
    steps.push({ written: text.length, source: edit.start, isCopy: false })
    text += edit.text
    at = edit.end
    steps.push({ written: text.length, source: at, isCopy: true })
  }
  text += source.slice(at)
  return {
    text,
    toSource(offset) {
      const step = steps.findLast(({ written }) => written <= offset)
      return step ? Math.min(step.source + (step.isCopy ? offset - step.written : 0), source.length) : 0
    },
  }
}
