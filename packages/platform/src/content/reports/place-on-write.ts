import { isDeepStrictEqual } from 'node:util'
import { CodedError, type UpdateReportInput } from '@hedron/contract'
import type { reports } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { type Effects, randomId } from '../../effects.ts'
import { mostPlacements, putPlacement, readPlacements } from './placements.ts'

/** The columns of a report that say where spreadsheets show it. */
export interface PlaceColumns {
  readonly externalWorkbookId: string | null
  readonly resultLocation: string | null
  readonly endResultCell: string | null
  /** JSON text. */
  readonly placements: string
}

interface PlaceOnWrite {
  readonly before: reports.ReportRow | undefined
  readonly body: UpdateReportInput
  /** Digest of what the report asks once it is written. */
  readonly checksum: string
}

/**
 * What writing a report says of its place in a spreadsheet: older clients send it with the report and know of one place.
 *
 * @returns undefined where nothing changes.
 * @throws {CodedError} `invalid_request` for facts of a placement of which the place is not known; `too_many_placements`.
 */
export function placeOnWrite(
  effects: Effects,
  caller: Caller,
  { before, body, checksum }: PlaceOnWrite,
): PlaceColumns | undefined {
  const { placementId, workbookName, host, sheetId, resultChecksum } = body
  const last = {
    externalWorkbookId: kept(body.externalWorkbookId, before?.externalWorkbookId),
    resultLocation: kept(body.resultLocation, before?.resultLocation),
    endResultCell: kept(body.endResultCell, before?.endResultCell),
  }
  const { externalWorkbookId, resultLocation } = last
  const about = { placementId, workbookName, host, sheetId, resultChecksum }
  const named = Object.entries(about).flatMap(([name, value]) => (value ? [name] : []))
  const isPlace = externalWorkbookId !== null && resultLocation !== null
  if (named.length > 0 && !isPlace) {
    throw new CodedError('invalid_request', {
      problems: `body: ${named.join(', ')} speak of a placement; send externalWorkbookId and resultLocation with them`,
    })
  }
  const stored = readPlacements(before?.placements ?? [])
  const isNamed = [body.externalWorkbookId, body.resultLocation, body.endResultCell].some(Boolean) || named.length > 0
  let placements = stored
  if (isPlace && isNamed) {
    const at = effects.now().toISOString()
    const facts = { ...about, externalWorkbookId, resultLocation, endResultCell: body.endResultCell }
    const put = putPlacement(stored, facts, { at, by: caller.userId, newId: () => randomId(effects), checksum })
    const known = stored.find(({ id }) => id === put.placement.id)
    // The same request again is not a refresh.
    const same = known && isDeepStrictEqual(timeless(known), timeless(put.placement))
    if (!same) placements = put.placements
    if (placements.length > mostPlacements) {
      throw new CodedError('too_many_placements', { report: before?.id ?? 0, limit: mostPlacements })
    }
  }
  const unchanged =
    placements === stored &&
    last.externalWorkbookId === (before?.externalWorkbookId ?? null) &&
    last.resultLocation === (before?.resultLocation ?? null) &&
    last.endResultCell === (before?.endResultCell ?? null)
  return unchanged ? undefined : { ...last, placements: JSON.stringify(placements) }
}

const kept = (sent: string | null | undefined, before: string | null | undefined): string | null =>
  sent === undefined ? (before ?? null) : sent

const timeless = (placement: object) => ({ ...placement, refreshedAt: null, refreshedByUserId: null })
