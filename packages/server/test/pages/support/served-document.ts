import { openApiDocument, routeList } from '@hedron/contract'
import type { Operation } from '../../../src/pages/assets/types.d.ts'
import { browserModule } from './browser-modules.ts'

/** The document as the server serves it. */
export const servedDocument: unknown = JSON.parse(JSON.stringify(openApiDocument(routeList, 'http://localhost:4000')))

export async function servedOperations(): Promise<readonly Operation[]> {
  const { readReference } = await browserModule('operations.js')
  return readReference(servedDocument).groups.flatMap(({ operations }) => operations)
}
