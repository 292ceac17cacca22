import { useEffect, useState } from 'react'
import { useBoard } from '../../dashboard/board.ts'
import type { Meta, MetaCube, MetaMember } from '../../frame/data-client.ts'

/** What the model offers to whoever looks: views where it has some, else cubes. */
export function cubesOf({ cubes }: Meta): readonly MetaCube[] {
  const visible = cubes.filter(({ isVisible }) => isVisible !== false)
  const views = visible.filter(({ type }) => type === 'view')
  return views.length > 0 ? views : visible
}

export const visibleOf = (members: readonly MetaMember[]): readonly MetaMember[] =>
  members.filter(({ isVisible }) => isVisible !== false)

/** The model as the session may see it; null until it is known. */
export function useMeta(): Meta | Error | null {
  const { data } = useBoard()
  const [meta, setMeta] = useState<Meta | Error | null>(null)
  useEffect(() => {
    let isGone = false
    // The description is shared by everything on the page: whoever leaves does not end it for the others.
    data.meta(new AbortController().signal).then(
      read => isGone || setMeta(read),
      error => isGone || setMeta(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      isGone = true
    }
  }, [data])
  return meta
}
