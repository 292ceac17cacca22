import {
  type CompileResult,
  compileModel,
  loadCodeEngines,
  type ModelProblem,
  type SourceFile,
} from '../../src/index.ts'

export const engines = await loadCodeEngines()

export const filesOf = (contents: Readonly<Record<string, string>>): SourceFile[] =>
  Object.entries(contents).map(([path, content]) => ({ path, content }))

/** Compiles a project given as a map from path to content. */
export const compileProject = (contents: Readonly<Record<string, string>>): CompileResult =>
  compileModel(filesOf(contents), { engines })

/** `file:line:column code` of each, the folder `model/` left out. */
export const placesOf = (problems: readonly ModelProblem[]): string[] =>
  problems.map(({ file, line, column, code }) => `${file.replace('model/', '')}:${line}:${column} ${code}`)
