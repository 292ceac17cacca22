import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '../states/states.tsx'

/** Few pages have one: it comes when it is needed. */
const Loaded = lazy(() => import('./flow-chart.tsx'))

/** What flows from where to where (a Sankey diagram). */
export function FlowChart(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<Skeleton shape="chart" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
