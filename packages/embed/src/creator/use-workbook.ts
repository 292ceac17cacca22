import type { DashboardConfig, Report, Workbook } from '@hedron/contract'
import { useEffect, useRef, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'

export interface OpenWorkbook {
  readonly workbook: Workbook
  readonly draft: DashboardConfig
  readonly reports: readonly Report[]
}

export type Saving = 'saved' | 'saving' | 'failed'

const pause = 600

/** A workbook that is being worked on: the draft is saved soon after each change, one save at a time, and before the page goes. */
export function useWorkbook(workbookId: number) {
  const { frame } = useFrame()
  const { deploymentId } = useCreator()
  const [state, setState] = useState<OpenWorkbook | Error | null>(null)
  const [saving, setSaving] = useState<Saving>('saved')
  const unsaved = useRef<DashboardConfig | null>(null)
  const running = useRef<Promise<void> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  useEffect(() => {
    const stop = new AbortController()
    const params = { deploymentId, workbookId }
    Promise.all([
      frame.api.getWorkbook({ params }, stop.signal),
      frame.api.getReports({ params: { deploymentId }, query: { workbookId, first: 1000 } }, stop.signal),
    ]).then(
      ([workbook, { items }]) => {
        const draft = workbook.dashboardDraft ?? workbook.dashboardPublished ?? { title: workbook.name, widgets: [] }
        setState({ workbook, draft, reports: items })
      },
      error => stop.signal.aborted || setState(error instanceof Error ? error : new Error(String(error))),
    )
    return () => stop.abort()
  }, [frame, deploymentId, workbookId])

  async function save(): Promise<void> {
    clearTimeout(timer.current)
    await running.current
    const draft = unsaved.current
    if (draft === null) return
    unsaved.current = null
    running.current = frame.api
      .updateWorkbookDashboard({ params: { deploymentId, workbookId }, body: { dashboardDraft: draft } })
      .then(
        () => setSaving(unsaved.current === null ? 'saved' : 'saving'),
        () => {
          unsaved.current ??= draft
          setSaving('failed')
        },
      )
    await running.current
  }

  const change = (next: (before: OpenWorkbook) => OpenWorkbook) => {
    setState(before => {
      if (before === null || before instanceof Error) return before
      const after = next(before)
      if (after.draft !== before.draft) {
        unsaved.current = after.draft
        clearTimeout(timer.current)
        timer.current = setTimeout(() => void save(), pause)
      }
      return after
    })
    setSaving('saving')
  }
  return { state, saving, change, save }
}
