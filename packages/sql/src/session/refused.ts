import { CatalogError } from '../catalog/catalog-error.ts'

/** A statement that no session runs. */
export const refused = (what: string): CatalogError =>
  new CatalogError('0A000', `${what} is not supported. Only statements that read can be run`)
