import { Skeleton } from '@hedron/ui'
import { type ComponentType, useEffect, useState } from 'react'

/**
 * A page that is read when it is shown first. One that does not come is thrown to the breaker above by this component itself: a `lazy` one that
 * fails under `Suspense` left the page blank now and then (Preact 11.2).
 */
export function onDemand<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const [state, setState] = useState<{ readonly Page: ComponentType<Props> } | Error | null>(null)
    useEffect(() => {
      let isGone = false
      read().then(
        Page => isGone || setState({ Page }),
        error => isGone || setState(error instanceof Error ? error : new Error(String(error))),
      )
      return () => {
        isGone = true
      }
    }, [])
    if (state instanceof Error) throw state
    if (state === null) return <Skeleton shape="chart" />
    const { Page } = state
    return <Page {...props} />
  }
}
