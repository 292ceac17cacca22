import type { ModelFiles } from '../model-files.ts'

export type FoundFile =
  | { readonly kind: 'file'; readonly path: string; readonly content: string }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'restricted' }

/**
 * The model file that an import means. `./x` stands beside the importing file, or below `model/`, where the field's own
 * compiler looks; packages do not exist.
 */
export function findImport(from: string, specifier: string, files: ModelFiles): FoundFile {
  if (!/^\.{1,2}\//.test(specifier)) {
    return /^[./]/.test(specifier) ? { kind: 'restricted' } : { kind: 'package', name: specifier }
  }
  const file = /\.js$/.test(specifier) ? specifier : `${specifier}.js`
  const beside = join(from.slice(0, from.lastIndexOf('/')), file)
  const below = join('model', file)
  const candidates = [...new Set([beside, below])].filter(path => path?.startsWith('model/'))
  if (candidates.length === 0) return { kind: 'restricted' }
  const found = candidates.flatMap(path => {
    const content = path === null ? null : files.read(path)
    return path === null || content === null ? [] : [{ kind: 'file' as const, path, content }]
  })
  const [first, second] = found
  if (first && second && first.content !== second.content) {
    return { kind: 'ambiguous', paths: found.map(({ path }) => path) }
  }
  return first ?? { kind: 'missing', path: beside ?? file }
}

/** `null` where the path leads out of the project. */
function join(folder: string, path: string): string | null {
  const parts = folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
