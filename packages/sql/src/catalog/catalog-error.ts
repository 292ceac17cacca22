/** A statement over the catalogs that cannot be answered. `code` is an SQLSTATE; `position` counts characters from 1. */
export class CatalogError extends Error {
  readonly code: string
  readonly position: number | undefined

  constructor(code: string, message: string, location?: number) {
    super(message)
    this.name = 'CatalogError'
    this.code = code
    this.position = location === undefined ? undefined : location + 1
  }
}

export const notSupported = (what: string, location?: number) =>
  new CatalogError('0A000', `${what} is not supported in statements over pg_catalog and information_schema`, location)
