import { CodedError, type ReportMeta } from '@hedron/contract'
import { cleanHtml, tooMuchHtml } from '../safe-html.ts'
import { findSpecProblem } from '../safe-spec.ts'

/** Of the JSON of one report's `meta`, in characters. */
const longest = 1_000_000

/**
 * Makes sure that what a report is shown as does no harm where it is shown, and is of a size to be shown.
 *
 * @returns it as it is kept: its HTML is cleaned, everything else stays as it came.
 * @throws {CodedError} `report_meta_invalid`, naming the part.
 */
export async function readMeta(meta: ReportMeta): Promise<ReportMeta> {
  const refuse = (path: string, reason: string) => new CodedError('report_meta_invalid', { path, reason })
  if (JSON.stringify(meta).length > longest) throw refuse('meta', `it is longer than ${longest} characters of JSON`)
  const { kind, spec } = meta
  if (spec === undefined || spec === null || spec === '') return meta
  if (kind === 'html') {
    if (typeof spec !== 'string') throw refuse('meta.spec', 'a report of kind html has its HTML here, as text')
    const tooMuch = tooMuchHtml(spec)
    if (tooMuch !== null) throw refuse('meta.spec', tooMuch)
    return { ...meta, spec: await cleanHtml(spec) }
  }
  const problem = findSpecProblem(typeof spec === 'string' ? parse(spec) : spec, 'meta.spec')
  if (problem) throw refuse(problem.path, problem.reason)
  return meta

  function parse(text: string): unknown {
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Told below, as for JSON that is no object.
    }
    throw refuse('meta.spec', 'it is not the JSON of a chart, and only a report of kind html has HTML here')
  }
}
