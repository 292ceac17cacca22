import type { AppConfig } from '@hedron/contract'
import { createContext, useContext } from 'react'
import type { SessionClaims } from './claims.ts'
import type { Frame } from './frame.ts'

/** A frame whose session was opened, with what the account and the session say. */
export interface OpenFrame {
  readonly frame: Frame
  readonly config: AppConfig
  /** Null: whoever looks is signed in to the platform itself. */
  readonly claims: SessionClaims | null
}

const FrameContext = createContext<OpenFrame | null>(null)
export const FrameRoot = FrameContext.Provider

/** @throws {Error} outside of a frame that is open. */
export function useFrame(): OpenFrame {
  const open = useContext(FrameContext)
  if (open === null) throw new Error('the session of the frame is not open')
  return open
}
