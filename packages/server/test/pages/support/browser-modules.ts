import type { Operation, Place, Reference, SchemaChild, SchemaNode } from '../../../src/pages/assets/types.d.ts'

/** What the tests use of the modules that the browser runs. */
interface BrowserModules {
  'curl.js': {
    curlOf(document: unknown, operation: Operation, baseUrl: string): string
    shellWord(text: string): string
  }
  'filter.js': { matches(operation: Operation, filter: string): boolean }
  'health.js': { healthOf(status: number | null): string }
  'load-document.js': {
    LoadError: new (message: string, advice: string, code: string) => Error
    loadDocument(address: string, effects: LoadEffects): Promise<unknown>
  }
  'operations.js': { readReference(document: unknown): Reference }
  'place.js': {
    readPlace(location: { search: string; hash: string }): Place
    addressOf(path: string, place: Place): string
  }
  'schema-tree.js': {
    describeSchema(document: unknown, schema: unknown): SchemaNode
    childrenOf(document: unknown, node: SchemaNode): readonly SchemaChild[]
  }
}

export interface LoadEffects {
  fetch(address: string, options: { signal: AbortSignal }): Promise<Response>
  signal: AbortSignal
  onProgress(bytes: number): void
}

export const assetsFolder = new URL('../../../src/pages/assets/', import.meta.url)

/** Loads a module as the browser gets it; it is JavaScript, so its types are those stated above. */
export function browserModule<Name extends keyof BrowserModules>(name: Name): Promise<BrowserModules[Name]> {
  return import(/* @vite-ignore */ new URL(name, assetsFolder).href)
}
