import type * as z from 'zod'

/** What a dashboard may hold at most. */
export const limits = {
  widgets: 500,
  widgetId: 128,
  columns: 100,
  rows: 100_000,
  title: 1000,
  description: 10_000,
  path: 255,
  files: 500,
  /** Characters of its JSON. */
  text: 1024 * 1024,
} as const

/** Columns of the widest grid where the layout names no other number. */
const usualColumns = 12

const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

interface CheckedConfig {
  readonly layout?:
    | { readonly cols?: { readonly lg?: number | null | undefined } | null | undefined }
    | null
    | undefined
  readonly widgets?:
    | readonly {
        readonly id?: string | null | undefined
        readonly position: { readonly x: number; readonly w: number }
      }[]
    | null
    | undefined
  readonly app?: { readonly files?: Readonly<Record<string, string>> | null | undefined } | null | undefined
}

/** What no shape alone says of a dashboard: each id once, widgets within the grid, a bounded size, and no key of a prototype. */
export function checkDashboardConfig(config: CheckedConfig, context: z.core.$RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string, input: unknown) =>
    context.addIssue({ code: 'custom', path, message, input })
  const columns = config.layout?.cols?.lg ?? usualColumns
  const ids = new Set<string>()
  for (const [index, { id, position }] of (config.widgets ?? []).entries()) {
    if (typeof id === 'string') {
      if (ids.has(id)) refuse(['widgets', index, 'id'], 'is the id of another widget already', id)
      ids.add(id)
    }
    if (position.x + position.w > columns) {
      refuse(['widgets', index, 'position'], `must end within the ${columns} columns of the grid (x + w)`, position)
    }
  }
  const paths = Object.keys(config.app?.files ?? {})
  if (paths.length > limits.files) refuse(['app', 'files'], `must be at most ${limits.files} files`, paths.length)
  for (const path of paths) {
    if (!isFilePath(path))
      refuse(['app', 'files', path], 'must be named by a path below the app, without . and ..', path)
  }
  const key = prototypeKeyIn(config)
  if (key !== undefined) refuse([], `must not hold a key "${key}"`, key)
  else if (JSON.stringify(config).length > limits.text) refuse([], 'must be at most 1 MiB of JSON', null)
}

const isFilePath = (path: string): boolean =>
  path !== '' && !path.includes('\\') && path.split('/').every(part => part !== '' && part !== '.' && part !== '..')

function prototypeKeyIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && prototypeKeys.has(key)) return key
    const found = prototypeKeyIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}
