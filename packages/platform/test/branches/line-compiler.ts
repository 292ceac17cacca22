import type { Model, ModelProblem } from '@hedron/semantic'
import type { Compiler } from '../../src/builds/compiler.ts'

/** A compiler for tests: each line `cube` of a file below `model/` is a cube, each line `broken` a problem, each line `odd` a warning. */
export function lineCompiler(): Compiler & { readonly compiled: string[] } {
  const compiled: string[] = []
  return {
    version: 'lines-1',
    compiled,
    isModelFile: path => path.startsWith('model/'),
    async compile(files) {
      compiled.push(files.map(file => file.path).join(' '))
      const problems: ModelProblem[] = []
      const warnings: ModelProblem[] = []
      let cubesCount = 0
      for (const { path, content } of files) {
        for (const [index, line] of content.split('\n').entries()) {
          if (line.startsWith('cube')) cubesCount++
          if (line === 'crash') throw new Error('the compiler crashed')
          const place = { file: path, line: index + 1, column: 1 }
          if (line === 'broken') problems.push({ code: 'line_broken', message: 'This line is broken.', ...place })
          if (line === 'odd') warnings.push({ code: 'line_odd', message: 'This line is odd.', ...place })
        }
      }
      const model: Model = { cubes: [], views: [], viewGroups: [] }
      const text = problems.length === 0 ? JSON.stringify(model) : null
      return { model: text, problems, warnings, cubesCount, isFinal: true }
    },
  }
}
