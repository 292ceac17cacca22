import type { ComparedLines } from './compared-lines.ts'

/**
 * Where a stretch of changed lines could as well stand a line earlier or later (a repeated line at either end), moves
 * it to where git puts it: beside a change of the other text if there is one, else as far down as it goes. Two merges
 * of the same texts then disagree with git about nothing.
 */
export function settleChanges({ base, other, baseChanged, otherChanged, spend }: ComparedLines): void {
  settleSide(groupCursor(baseChanged, base, spend), groupCursor(otherChanged, other, spend))
  settleSide(groupCursor(otherChanged, other, spend), groupCursor(baseChanged, base, spend))
}

type GroupCursor = ReturnType<typeof groupCursor>

/** Both cursors always stand between the same two unchanged lines. */
function settleSide(group: GroupCursor, opposite: GroupCursor): void {
  do {
    if (group.isEmpty()) continue
    let size: number
    let movable: boolean
    let meets: boolean
    do {
      size = group.size()
      while (group.slideUp()) opposite.previous()
      movable = false
      meets = !opposite.isEmpty()
      while (group.slideDown()) {
        opposite.next()
        movable = true
        meets ||= !opposite.isEmpty()
      }
      // A group that met its neighbour on the way has grown, and may go further.
    } while (size !== group.size())
    if (!movable || !meets) continue
    while (opposite.isEmpty() && group.slideUp()) opposite.previous()
  } while (group.next() && opposite.next())
}

/** Walks over the stretches of changed lines, one (perhaps empty) between any two unchanged lines. */
function groupCursor(changed: Uint8Array, lines: Int32Array, spend: ComparedLines['spend']) {
  let start = 0
  let end = 0
  const growDown = () => {
    while (changed[end] === 1) end++
  }
  const growUp = () => {
    while (start > 0 && changed[start - 1] === 1) start--
  }
  growDown()
  return {
    isEmpty: () => start === end,
    size: () => end - start,
    next() {
      if (end === changed.length) return false
      end++
      start = end
      growDown()
      return true
    },
    previous() {
      if (start === 0) return false
      start--
      end = start
      growUp()
      return true
    },
    slideDown() {
      if (end >= lines.length || lines[start] !== lines[end] || !spend(1)) return false
      changed[start++] = 0
      changed[end++] = 1
      growDown()
      return true
    },
    slideUp() {
      if (start === 0 || lines[start - 1] !== lines[end - 1] || !spend(1)) return false
      changed[--start] = 1
      changed[--end] = 0
      growUp()
      return true
    },
  }
}
