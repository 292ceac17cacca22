import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** Beside one busy thread on one core that leaves it about a quarter, so that its work still ends before its deadline. */
const lowering = 5

/**
 * Lets the threads that answer requests go first where cores are short. A thread calls it for itself: Linux has a priority for each
 * thread, others for a whole process only, and there nothing is changed.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (thread > 0) setPriority(thread, Math.min(getPriority(thread) + lowering, constants.priority.PRIORITY_LOW))
  } catch {
    // Where a sandbox hides /proc or refuses it, the work is the same, and only others wait longer.
  }
}
