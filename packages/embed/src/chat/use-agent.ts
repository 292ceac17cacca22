import type { Agent } from '@hedron/contract'
import { useLocale } from '@hedron/ui'
import { useCallback, useEffect, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'

/** The default agent of a deployment, else its first; null until it is known. Without a deployment nothing is asked. */
export function useAgent(deploymentId: number | null): {
  readonly agent: Agent | Error | null
  readonly retry: () => void
} {
  const { frame } = useFrame()
  const { t } = useLocale()
  const [agent, setAgent] = useState<Agent | Error | null>(null)
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew
  useEffect(() => {
    if (deploymentId === null) return
    const stop = new AbortController()
    setAgent(null)
    frame.api.listAgents({ params: { deploymentId }, query: {} }, stop.signal).then(
      ({ items }) => {
        const found = items.find(({ isDefault }) => isDefault) ?? items[0]
        setAgent(found ?? new Error(t('chatUnavailable')))
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        setAgent(error instanceof Error ? error : new Error(String(error)))
        const isFatal = frame.address.surface === 'chat'
        frame.host.emit('error', { message: String(error), name: 'AgentsFailed', context: 'chat', fatal: isFatal })
      },
    )
    return () => stop.abort()
  }, [frame, deploymentId, turn])
  const retry = useCallback(() => setTurn(count => count + 1), [])
  return { agent, retry }
}
