import { type ConnectReportToWorkbookInput, ReportPlacement, type SpreadsheetHost } from '@hedron/contract'

/** A placement as it is stored: whether it is up to date is found when it is shown. */
const StoredPlacement = ReportPlacement.omit({ syncStatus: true })
export type StoredPlacement = Omit<ReportPlacement, 'syncStatus'>

/** Placements of one report at most. */
export const mostPlacements = 200

export const readPlacements = (stored: readonly unknown[]): readonly StoredPlacement[] =>
  StoredPlacement.array().parse(stored)

/** Which placement is meant, as clients name it. */
export interface PlacementTarget {
  readonly placementId?: string | null | undefined
  readonly externalWorkbookId?: string | null | undefined
  readonly resultLocation?: string | null | undefined
  readonly sheetId?: string | null | undefined
  readonly sheetName?: string | null | undefined
  readonly anchorCell?: string | null | undefined
}

/**
 * The placement that is meant: the one with the id, or the newest at the spreadsheet, sheet and first cell, all of which have to be
 * named. A `sheetId` only narrows: one that was stored with another is not meant.
 */
export function findPlacement(
  placements: readonly StoredPlacement[],
  target: PlacementTarget,
): StoredPlacement | undefined {
  if (target.placementId) return placements.find(({ id }) => id === target.placementId)
  const { sheetName, anchorCell } = addressOf(target)
  if (!target.externalWorkbookId || sheetName === null || anchorCell === null) return undefined
  return placements.findLast(
    placement =>
      placement.workbookId === target.externalWorkbookId &&
      placement.sheetName === sheetName &&
      placement.anchorCell === anchorCell &&
      (!target.sheetId || placement.sheetId === null || placement.sheetId === target.sheetId),
  )
}

/** What a client says of a placement beside where it is; what is left out stays as it was. */
export interface PlacementFacts extends PlacementTarget {
  readonly externalWorkbookId: string
  readonly resultLocation: string
  readonly workbookName?: string | null | undefined
  readonly host?: SpreadsheetHost | null | undefined
  readonly endResultCell?: string | null | undefined
  readonly resultChecksum?: ConnectReportToWorkbookInput['resultChecksum']
}

export interface Placing {
  readonly at: string
  readonly by: number | null
  readonly newId: () => string
  /** Digest of what the report asks now; null: its rows were not read again. */
  readonly checksum: string | null
}

/**
 * The placements with one more, or with one changed: the one with the id, else the one at the same place, which takes the id that
 * is sent. What it says of its rows changes only where they were read again.
 */
export function putPlacement(
  placements: readonly StoredPlacement[],
  facts: PlacementFacts,
  { at, by, newId, checksum }: Placing,
): { readonly placements: readonly StoredPlacement[]; readonly placement: StoredPlacement } {
  const known = findPlacement(placements, facts) ?? findPlacement(placements, { ...facts, placementId: null })
  const address = addressOf(facts)
  const placement: StoredPlacement = {
    id: facts.placementId ?? known?.id ?? newId(),
    workbookId: facts.externalWorkbookId,
    workbookName: sent(facts.workbookName, known?.workbookName),
    host: sent(facts.host, known?.host),
    resultLocation: facts.resultLocation,
    sheetId: sent(facts.sheetId, known?.sheetId),
    sheetName: address.sheetName ?? known?.sheetName ?? null,
    anchorCell: address.anchorCell ?? known?.anchorCell ?? null,
    endResultCell: sent(facts.endResultCell, known?.endResultCell),
    placedAt: known?.placedAt ?? at,
    placedByUserId: known ? known.placedByUserId : by,
    queryChecksum: checksum ?? known?.queryChecksum ?? null,
    resultChecksum: checksum === null ? (known?.resultChecksum ?? null) : sent(facts.resultChecksum, null),
    refreshedAt: checksum === null ? (known?.refreshedAt ?? null) : at,
    refreshedByUserId: checksum === null ? (known?.refreshedByUserId ?? null) : by,
  }
  return { placements: [...placements.filter(other => other !== known), placement], placement }
}

/** The placement after its rows were read again. */
export const refreshed = (
  placement: StoredPlacement,
  { at, by, checksum }: Pick<Placing, 'at' | 'by' | 'checksum'>,
  resultChecksum: ConnectReportToWorkbookInput['resultChecksum'],
): StoredPlacement => ({
  ...placement,
  queryChecksum: checksum,
  resultChecksum: resultChecksum ?? null,
  refreshedAt: at,
  refreshedByUserId: by,
})

const sent = <T>(value: T | null | undefined, before: T | null | undefined): T | null =>
  value === undefined ? (before ?? null) : value

/** Sheet and first cell, as named or as the location has them: `Sheet1!A1`, `'My ''own'' sheet'!$B$2:D9`. */
export function addressOf({ sheetName, anchorCell, resultLocation }: PlacementTarget): {
  readonly sheetName: string | null
  readonly anchorCell: string | null
} {
  const location = /^(?:'((?:[^']|'')*)'|([^!]*))!(\$?[A-Za-z]{1,3}\$?\d{1,7})(?::.*)?$/s.exec(resultLocation ?? '')
  const [, quoted, plain, first] = location ?? []
  return {
    sheetName: sheetName ?? quoted?.replaceAll("''", "'") ?? plain ?? null,
    anchorCell: cellName(anchorCell ?? first ?? null),
  }
}

const cellName = (cell: string | null) => cell?.replaceAll('$', '').toUpperCase() ?? null
