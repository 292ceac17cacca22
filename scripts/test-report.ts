import { readFile } from 'node:fs/promises'

export interface Failure {
  readonly file: string
  /** Null: the file itself could not be loaded, or a hook of it failed. */
  readonly test: string | null
  readonly message: string
}

/** What a run of vitest says of itself. */
export interface TestReport {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly files: readonly Duration[]
}

/** How long the tests of a file took, its hooks and what it waited for among them. */
export interface Duration {
  readonly file: string
  readonly milliseconds: number
}

/** Reads what vitest's JSON reporter wrote; null where the run died before it wrote anything that can be read. */
export async function readReport(path: string): Promise<TestReport | null> {
  try {
    const files = list(JSON.parse(await readFile(path, 'utf8')), 'testResults')
    const tests = files.flatMap(file =>
      list(file, 'assertionResults').map(test => ({ file: text(file, 'name'), test, status: text(test, 'status') })),
    )
    const failedTests = tests
      .filter(({ status }) => status === 'failed')
      .map(({ file, test }) => ({
        file,
        test: text(test, 'fullName'),
        message: String(list(test, 'failureMessages')[0] ?? ''),
      }))
    const failedFiles = files
      .filter(
        file => text(file, 'status') === 'failed' && !failedTests.some(({ file: of }) => of === text(file, 'name')),
      )
      .map(file => ({ file: text(file, 'name'), test: null, message: text(file, 'message') }))
    return {
      passed: tests.filter(({ status }) => status === 'passed').length,
      failures: [...failedTests, ...failedFiles],
      files: files.map(file => ({
        file: text(file, 'name'),
        milliseconds: number(file, 'endTime') - number(file, 'startTime'),
      })),
    }
  } catch {
    return null
  }
}

/** One failure in a few lines: where, which, and how its message begins. */
export function describeFailure({ file, test, message }: Failure, root: string): string {
  const said = message.split('\n').slice(0, 6).join('\n    ')
  return `  ${file.replace(root, '')}${test === null ? '' : ` > ${test}`}\n    ${said}`
}

/** The files that took longest, a line each, by which it is seen where a run spends its time. */
export function describeSlowest(files: readonly Duration[], count: number, root: string): string {
  return files
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, count)
    .map(({ file, milliseconds }) => `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file.replace(root, '')}`)
    .join('\n')
}

function list(value: unknown, name: string): unknown[] {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return Array.isArray(found) ? found : []
}

function text(value: unknown, name: string): string {
  return String(typeof value === 'object' && value !== null ? (Reflect.get(value, name) ?? '') : '')
}

function number(value: unknown, name: string): number {
  return Number(typeof value === 'object' && value !== null ? (Reflect.get(value, name) ?? 0) : 0)
}
