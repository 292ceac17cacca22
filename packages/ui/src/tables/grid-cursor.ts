/** A cell of the grid; row -1 are the titles. */
export interface GridCell {
  readonly row: number
  readonly column: number
}

/** The cell that keys act on, and the one where a selection of several began. */
export interface GridCursor {
  readonly active: GridCell
  readonly anchor: GridCell
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that a page key moves by. */
  readonly page: number
}

export interface GridKey {
  readonly key: string
  readonly ctrl: boolean
  readonly shift: boolean
}

/**
 * Where a key leads (WAI-ARIA Authoring Practices, Grid): arrows, Home, End and page keys; with Ctrl to the edges, with Shift the
 * selection grows. null: not a key of the grid.
 */
export function moveCursor(cursor: GridCursor, { key, ctrl, shift }: GridKey, size: GridSize): GridCursor | null {
  if (ctrl && key.toLowerCase() === 'a') {
    return { anchor: { row: 0, column: 0 }, active: { row: size.rows - 1, column: size.columns - 1 } }
  }
  const active = target(cursor.active, key, ctrl, size)
  if (!active) return null
  const least = shift ? 0 : -1
  const inside = {
    row: clamp(active.row, least, size.rows - 1),
    column: clamp(active.column, 0, size.columns - 1),
  }
  return { active: inside, anchor: shift ? { ...cursor.anchor, row: Math.max(0, cursor.anchor.row) } : inside }
}

function target({ row, column }: GridCell, key: string, ctrl: boolean, size: GridSize): GridCell | null {
  switch (key) {
    case 'ArrowDown':
      return { row: ctrl ? size.rows - 1 : row + 1, column }
    case 'ArrowUp':
      return { row: ctrl ? 0 : row - 1, column }
    case 'ArrowRight':
      return { row, column: ctrl ? size.columns - 1 : column + 1 }
    case 'ArrowLeft':
      return { row, column: ctrl ? 0 : column - 1 }
    case 'PageDown':
      return { row: row + size.page, column }
    case 'PageUp':
      return { row: Math.max(0, row - size.page), column }
    case 'Home':
      return ctrl ? { row: 0, column: 0 } : { row, column: 0 }
    case 'End':
      return ctrl ? { row: size.rows - 1, column: size.columns - 1 } : { row, column: size.columns - 1 }
    default:
      return null
  }
}

/** First and last row and column of what is selected, titles left out. */
export function selectedRange({ active, anchor }: GridCursor): {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
} {
  return {
    top: Math.max(0, Math.min(active.row, anchor.row)),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  }
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
