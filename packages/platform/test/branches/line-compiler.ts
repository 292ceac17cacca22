import type { Model, ModelProblem } from '@hedron/semantic'
import type { Compiler } from '../../src/builds/compiler.ts'

/** A compiler for tests: each line `cube` of a file below `model/` is a cube, and each line `broken` a problem. */
export function lineCompiler(): Compiler & { readonly compiled: string[] } {
  const compiled: string[] = []
  return {
    version: 'lines-1',
    compiled,
    isModelFile: path => path.startsWith('model/'),
    async compile(files) {
      compiled.push(files.map(file => file.path).join(' '))
      const problems: ModelProblem[] = []
      let cubesCount = 0
      for (const { path, content } of files) {
        for (const [index, line] of content.split('\n').entries()) {
          if (line.startsWith('cube')) cubesCount++
          if (line === 'crash') throw new Error('the compiler crashed')
          if (line !== 'broken') continue
          problems.push({
            code: 'line_broken',
            message: 'This line is broken.',
            file: path,
            line: index + 1,
            column: 1,
          })
        }
      }
      const model: Model = { cubes: [], views: [], viewGroups: [] }
      return { model: problems.length === 0 ? JSON.stringify(model) : null, problems, cubesCount, isFinal: true }
    },
  }
}
