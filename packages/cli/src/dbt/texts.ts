import { displayValue, fieldOf } from '../framework/json.ts'
import { oneCell } from '../framework/text.ts'

/** What a sync is doing, in a few words: `COMPILING_DBT 50% — Parsing dbt project` (contract/cli-core.md section 18.4). */
export function statusLabel(document: unknown): string {
  const part = (path: string) => oneCell(displayValue(fieldOf(document, path)).trim())
  const [status, stage, percent] = [part('status'), part('progress.stage'), part('progress.percentComplete')]
  const message = part('progress.message')
  return [
    status,
    stage === '' || stage === status ? '' : ` (${stage})`,
    percent === '' ? '' : ` ${percent}%`,
    message === '' ? '' : ` — ${message}`,
  ].join('')
}

/** A time that something took (section 18.10); what is none is shown as it came. */
export function durationText(value: unknown): string {
  const shown = displayValue(value).trim()
  const milliseconds = Number(shown)
  if (!/^\d+(\.\d+)?$/.test(shown) || !Number.isFinite(milliseconds)) return shown
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 1) return `${Math.floor(milliseconds)}ms`
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
