import { useEffect, useRef } from 'react'
import { DataFailure } from '../frame/data-client.ts'

/** How often a server that was not reached is asked again, while somebody looks; a little more for some, so that not all come at once. */
const pause = 15_000

/** Asks again by itself after an error of the way there, not of the question: the network was away, or the server is started anew. */
export function useReturn(error: Error | null, askAgain: () => void): void {
  const ask = useRef(askAgain)
  ask.current = askAgain
  useEffect(() => {
    if (!(error instanceof DataFailure) || !error.isAboutReach) return
    const look = () => {
      if (document.visibilityState === 'visible') ask.current()
    }
    const timer = setInterval(look, pause * (1 + Math.random() / 3))
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [error])
}
