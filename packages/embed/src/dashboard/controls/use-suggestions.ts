import { useEffect, useState } from 'react'
import { useBoard } from '../board.ts'
import type { Control } from '../model/controls.ts'

const most = 50
const pause = 200

/** Values of a member that begin to match what is typed, as the viewer may see them; those that the control names where it does. */
export function useSuggestions(
  control: Control & { readonly kind: 'filter' },
  type: string,
  typed: string,
  isWanted: boolean,
): { readonly suggestions: readonly string[]; readonly failed: boolean } {
  const { data } = useBoard()
  const [state, setState] = useState<{ suggestions: readonly string[]; failed: boolean }>({
    suggestions: control.options,
    failed: false,
  })
  const { member, options } = control
  const isGiven = options.length > 0
  useEffect(() => {
    if (!isWanted || isGiven) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      // Only texts hold what is typed somewhere in them.
      const matching = typed === '' || type !== 'string'
      const filters = matching ? [{ member, operator: 'set' }] : [{ member, operator: 'contains', values: [typed] }]
      const query = { dimensions: [member], filters, order: { [member]: 'asc' }, limit: most }
      data.load(query, { signal: stop.signal }).then(
        answer => {
          const rows = 'members' in answer.data ? [] : answer.data
          setState({ suggestions: rows.map(row => String(row[member] ?? '')), failed: false })
        },
        () => stop.signal.aborted || setState({ suggestions: [], failed: true }),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [data, member, isGiven, type, typed, isWanted])
  return state
}
