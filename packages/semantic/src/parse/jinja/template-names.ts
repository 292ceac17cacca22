import type { ModelFiles } from '../model-files.ts'

const loadPattern = /\{%[-+]?\s*(?:import|from|include|extends)\s+(?:"([^"]*)"|'([^']*)'|)/g

/** Templates are named from `model/` on. */
export const templatePath = (name: string) => `model/${name}`
export const templateName = (path: string) => path.slice('model/'.length)

/**
 * A template and all that it imports, includes or extends, by name. Where a name is known only when the template runs, all
 * macro files are there.
 */
export function templatesOf(entry: string, source: string, files: ModelFiles): Map<string, string> {
  const found = new Map([[entry, source]])
  const add = (name: string) => {
    const content = found.has(name) ? null : files.read(templatePath(name))
    if (content !== null) found.set(name, content)
  }
  // A map's iterator also visits what is added on the way.
  for (const content of found.values()) {
    for (const [, double, single] of content.matchAll(loadPattern)) {
      const name = double ?? single
      if (name !== undefined) add(name)
      else for (const path of files.macroFiles()) add(templateName(path))
    }
  }
  return found
}
