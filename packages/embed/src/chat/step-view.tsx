import {
  Chart,
  type ChartProps,
  DataTable,
  ErrorState,
  Icon,
  Kpi,
  type Result,
  resultOfSql,
  useLocale,
} from '@hedron/ui'
import { useMemo, useRef, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { timeZoneOf } from '../frame/frame-settings.ts'
import type { ToolPart } from './conversation.ts'
import { CopyButton } from './copy-button.tsx'
import { readStep, type Step } from './tool-result.ts'

/** A step of the assistant: one line that opens, and for questions to the data what they brought. */
export function StepView({ part, deploymentId }: { readonly part: ToolPart; readonly deploymentId: number }) {
  const { t } = useLocale()
  const step = useMemo(() => readStep(part), [part])
  return (
    <div className="chat-step" data-running={step.isRunning}>
      <details>
        <summary>
          <Icon
            name={
              step.error === null
                ? step.kind === 'query'
                  ? 'table'
                  : step.kind === 'search'
                    ? 'search'
                    : 'tool'
                : 'warning'
            }
          />
          <span>{titleOf(step, t)}</span>
          {step.error !== null && <span className="chat-step-failed">{t('toolFailed')}</span>}
        </summary>
        <div className="chat-step-inside">
          {step.error !== null && <p>{step.error}</p>}
          {step.kind === 'query' ? (
            <>
              {step.description !== '' && <p>{step.description}</p>}
              <div className="chat-code">
                <pre>
                  <code>{step.sql}</code>
                </pre>
                <CopyButton text={step.sql} />
              </div>
            </>
          ) : (
            <pre>
              <code>{shortened(part.result ?? part.input)}</code>
            </pre>
          )}
        </div>
      </details>
      {step.kind === 'query' && step.result !== null && step.result.columns.length > 0 && (
        <StepResult step={step} first={step.result} deploymentId={deploymentId} />
      )}
    </div>
  )
}

function titleOf(step: Step, t: ReturnType<typeof useLocale>['t']): string {
  switch (step.kind) {
    case 'search':
      return step.isRunning ? t('toolSearching', { query: step.query }) : t('toolSearch', { query: step.query })
    case 'query':
      return step.isRunning ? t('toolQuerying', { title: step.title }) : t('toolQuery', { title: step.title })
    default:
      return t('toolOther', { name: step.name })
  }
}

/** A result of a tool that nothing is known of can be long. */
function shortened(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)} …` : text
}

/** Rows as the chart that the agent drew, as one figure, or as a table; all of them where the viewer wants more than were sent. */
function StepResult(props: {
  readonly step: Extract<Step, { kind: 'query' }>
  readonly first: Result
  readonly deploymentId: number
}) {
  const { step, first, deploymentId } = props
  const { frame, config, claims } = useFrame()
  const [all, setAll] = useState<Result | Error | 'loading' | null>(null)
  const loading = useRef<AbortController | null>(null)
  const result = all !== null && all !== 'loading' && !(all instanceof Error) ? all : first

  function loadAll() {
    loading.current?.abort()
    const stop = new AbortController()
    loading.current = stop
    setAll('loading')
    const timezone = timeZoneOf(frame.wishes.get(), frame.address, claims, config, null)
    frame
      .data(deploymentId)
      .sql(step.sql, timezone, { signal: stop.signal })
      .then(
        ({ schema, data }) => setAll(resultOfSql(schema, data)),
        (error: unknown) => setAll(error instanceof Error ? error : new Error(String(error))),
      )
  }

  if (all instanceof Error) return <ErrorState message={all.message} onRetry={loadAll} />
  const canLoad = all === null && step.sql !== '' ? { onLoadAll: loadAll } : {}
  const shown: Omit<ChartProps, 'spec'> = { result, label: step.title, ...canLoad }
  const [column] = result.columns
  const [row] = result.rows
  return (
    <figure className="chat-result" aria-busy={all === 'loading'}>
      <figcaption>{step.title}</figcaption>
      {step.chart !== null && result.rows.length > 0 ? (
        <div className="chat-result-chart">
          <Chart {...shown} spec={step.chart} />
        </div>
      ) : result.rows.length === 1 && result.columns.length === 1 && column && row ? (
        <div className="chat-result-figure">
          <Kpi column={column} value={row[0]} />
        </div>
      ) : (
        <div className="chat-result-table" style={{ height: Math.min(10, result.rows.length + 1) * 32 + 30 }}>
          <DataTable {...shown} />
        </div>
      )}
    </figure>
  )
}
