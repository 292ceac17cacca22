/** Counts how often everything on a board was asked anew, and how new its rows have to be. */
export interface Turn {
  readonly count: number
  /** `must-revalidate`: as new as the model's refresh keys say. `no-cache`: of this moment, whatever it costs the source. */
  readonly cache: 'must-revalidate' | 'no-cache'
}

export const firstTurn: Turn = { count: 0, cache: 'must-revalidate' }

export const nextTurn =
  (cache: Turn['cache']) =>
  (turn: Turn): Turn => ({ count: turn.count + 1, cache })
