import { ApiError } from '@hedron/contract/client'
import type { Context } from '../../framework/command.ts'
import { displayValue, fieldOf, isRecord } from '../../framework/json.ts'
import { flag } from '../../framework/parameter.ts'
import { printable } from '../../framework/text.ts'

export const resolvedOption = flag('the files of the last conflict now stand on this branch as they should')

const kinds: Readonly<Record<string, string>> = {
  content: 'both sides changed the same lines',
  'delete-modify': 'one side deleted it, the other changed it',
  'add-add': 'both sides added it',
  mode: 'both sides changed its mode',
  binary: 'both sides changed it, and it is not text',
  'directory-file': 'it is a folder on one side and a file on the other',
}

/** Runs a request that merges; a conflict is shown file by file before the failure goes on to the caller. */
export async function showingConflicts<T>({ output }: Pick<Context, 'output'>, merge: () => Promise<T>): Promise<T> {
  try {
    return await merge()
  } catch (error) {
    const conflicts =
      error instanceof ApiError && error.code === 'merge_conflict' ? fieldOf(error.body, 'conflicts') : null
    if (Array.isArray(conflicts) && !output.json) {
      for (const line of conflictLines(conflicts)) output.progress(line)
      output.progress(
        'Change these files on the branch to what they should be, then run this command again with --resolved.',
      )
    }
    throw error
  }
}

/** Each file with the lines of both sides: `ours` is the branch that is merged, `theirs` the other one. */
export function conflictLines(conflicts: readonly unknown[]): readonly string[] {
  return conflicts.flatMap(conflict => {
    const kind = displayValue(fieldOf(conflict, 'kind'))
    const regions = fieldOf(conflict, 'regions')
    return [
      `conflict in ${displayValue(fieldOf(conflict, 'path'))}: ${kinds[kind] ?? kind}`,
      ...(Array.isArray(regions) ? regions.flatMap(regionLines) : []),
    ].map(printable)
  })
}

function regionLines(region: unknown): readonly string[] {
  if (!isRecord(region)) return []
  const { oursStartLine, ours, theirsStartLine, theirs } = region
  return [
    `  <<<<<<< ours, ${lineRange(oursStartLine, ours)}`,
    ...linesOf(ours),
    '  =======',
    ...linesOf(theirs),
    `  >>>>>>> theirs, ${lineRange(theirsStartLine, theirs)}`,
  ]
}

/** Lines may come with the ends that they have in the file. */
const linesOf = (lines: unknown): readonly string[] =>
  Array.isArray(lines) ? lines.map(line => `  ${displayValue(line).replace(/\r?\n$/, '')}`) : []

function lineRange(start: unknown, lines: unknown): string {
  const count = Array.isArray(lines) ? lines.length : 0
  if (typeof start !== 'number') return `${count} lines`
  if (count === 0) return `nothing, before line ${start}`
  return count === 1 ? `line ${start}` : `lines ${start}-${start + count - 1}`
}
