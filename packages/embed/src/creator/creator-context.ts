import { createContext, useContext } from 'react'
import type { Router } from './router.ts'
import type { CreatorTexts } from './texts/en-US.ts'

/** What every page of creator mode shares. */
export interface Creator {
  readonly deploymentId: number
  readonly router: Router
  readonly texts: CreatorTexts
}

const CreatorContext = createContext<Creator | null>(null)
export const CreatorRoot = CreatorContext.Provider

/** @throws {Error} outside of creator mode. */
export function useCreator(): Creator {
  const creator = useContext(CreatorContext)
  if (creator === null) throw new Error('this is not creator mode')
  return creator
}
