import type { ModelFiles } from '../model-files.ts'

/** The file whose variables, functions and filters templates would have. */
export const globalsPath = 'model/globals.py'

/** A name that a project's Python would give to its templates. */
export interface PythonName {
  readonly kind: 'variable' | 'function' | 'filter'
  readonly name: string
  readonly file: string
  readonly line: number
  readonly column: number
}

const addPattern = /\b\w+[ \t]*\.[ \t]*add_(variable|function|filter)\s*\(\s*(?:name\s*=\s*)?["'](\w+)["']/g
const decoratorPattern = /@[ \t]*\w+[ \t]*\.[ \t]*(function|filter)\s*\(\s*(?:name\s*=\s*)?["'](\w+)["']/g

/** What the project's Python would give to templates under this name. */
export function definedByPython(name: string, files: ModelFiles): PythonName | null {
  const content = files.read(globalsPath)
  return content === null ? null : (pythonNames(globalsPath, content).find(defined => defined.name === name) ?? null)
}

/** All names that a file would give to templates, in their order. */
export function pythonNames(file: string, content: string): readonly PythonName[] {
  const code = withoutComments(content)
  return [...code.matchAll(addPattern), ...code.matchAll(decoratorPattern)]
    .sort((left, right) => left.index - right.index)
    .map(({ index, 1: kind, 2: name = '' }) => ({
      kind: kind === 'function' || kind === 'filter' ? kind : 'variable',
      name,
      file,
      ...placeOf(code, index),
    }))
}

/** Imports, `pass` and the template context itself do nothing that a model could miss. */
const harmlessPattern =
  /(?:import[ \t][^\n]*|from[ \t][^\n(]*(?:\([^)]*\)|[^\n(]*)|pass|\w+[ \t]*=[ \t]*(?:\w+\.)?TemplateContext\(\s*\))?[ \t]*;?[ \t]*(?:\r?\n|$)/y

/** Where the first statement stands that does something. `null`: the file can be left out without any difference. */
export function firstStatement(content: string): { readonly line: number; readonly column: number } | null {
  const code = withoutComments(content)
  let at = 0
  while (at < code.length) {
    harmlessPattern.lastIndex = at
    const found = harmlessPattern.exec(code)
    if (!found || found[0] === '') return placeOf(code, at + (/^\s*/.exec(code.slice(at))?.[0].length ?? 0))
    at = harmlessPattern.lastIndex
  }
  return null
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const tokenPattern = /#[^\n]*|("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g

/** The same text with spaces for comments and for strings that are statements of their own. */
export function withoutComments(content: string): string {
  return content.replace(tokenPattern, (token: string, quotes: string | undefined, offset: number) => {
    const before = content.slice(content.lastIndexOf('\n', offset - 1) + 1, offset)
    const isDocument = quotes !== undefined && before.trim() === ''
    return token.startsWith('#') || isDocument ? token.replace(/[^\n]/g, ' ') : token
  })
}
