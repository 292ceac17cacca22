import { useEffect, useState } from 'react'
import type { MetaMember } from '../../frame/data-client.ts'
import { useBoard } from '../board.ts'

/** What the model says of a member; null until it is known, and where it is not in the model. */
export function useMember(name: string): MetaMember | null {
  const { data } = useBoard()
  const [member, setMember] = useState<MetaMember | null>(null)
  useEffect(() => {
    // The description is shared by everything on the page: whoever leaves does not end it for the others.
    let isGone = false
    data.meta(new AbortController().signal).then(
      ({ cubes }) => {
        const members = cubes.flatMap(cube => [...cube.measures, ...cube.dimensions])
        if (!isGone) setMember(members.find(each => each.name === name) ?? null)
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [data, name])
  return member
}
