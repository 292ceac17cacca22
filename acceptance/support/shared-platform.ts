import type { TestProject } from 'vitest/node'
import { startPlatform } from './start-platform.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly baseUrl: string
    readonly apiKey: string
  }
}

/** Starts one platform, with the demo, for all acceptance tests that do not need one of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const platform = await startPlatform({ environment: { HEDRON_DEMO: '1' } })
  project.provide('baseUrl', platform.baseUrl)
  project.provide('apiKey', platform.apiKey)
  return () => platform.dispose()
}
