import type { Dashboard, DashboardConfig, Report, Workbook } from '@hedron/contract'
import { useEffect, useRef, useState } from 'react'
import { useFrame } from '../frame/frame-context.tsx'
import { useCreator } from './creator-context.ts'
import { readAllReports } from './read-reports.ts'
import { type DraftHistory, noHistory, remembered, stepped } from './workbook-history.ts'

export interface OpenWorkbook {
  readonly workbook: Workbook
  readonly draft: DashboardConfig
  readonly reports: readonly Report[]
  /** As others see it; null until it is published. */
  readonly published: Dashboard | null
  readonly history: DraftHistory
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
      readAllReports(frame.api, deploymentId, workbookId, stop.signal),
    ]).then(
      ([workbook, reports]) => {
        const draft = workbook.dashboardDraft ?? workbook.dashboardPublished ?? { title: workbook.name, widgets: [] }
        setState({ workbook, draft, reports, published: workbook.publishedDashboard ?? null, history: noHistory })
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
  // Nothing that was changed is lost with the page that is left.
  const last = useRef(save)
  last.current = save
  useEffect(() => {
    const leave = () => void last.current()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  function put(next: (before: OpenWorkbook) => OpenWorkbook): void {
    setState(before => {
      if (before === null || before instanceof Error) return before
      const after = next(before)
      if (after.draft !== before.draft) {
        unsaved.current = after.draft
        clearTimeout(timer.current)
        timer.current = setTimeout(() => void save(), pause)
        setSaving('saving')
      }
      return after
    })
  }
  const change = (next: (before: OpenWorkbook) => OpenWorkbook) =>
    put(before => {
      const after = next(before)
      if (after.draft === before.draft) return after
      return { ...after, history: remembered(before.history, before.draft, after.draft, Date.now()) }
    })
  const step = (way: 'undo' | 'redo') =>
    put(before => {
      const next = stepped(before.history, before.draft, way)
      return next === null ? before : { ...before, ...next }
    })
  const setPublished = (published: Dashboard) => put(before => ({ ...before, published }))
  return { state, saving, change, step, save, setPublished }
}
export type Editing = ReturnType<typeof useWorkbook>
