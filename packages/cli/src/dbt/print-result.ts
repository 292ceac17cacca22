import { displayValue, fieldOf, rowsOf } from '../framework/json.ts'
import type { Output } from '../framework/output.ts'
import { oneCell } from '../framework/text.ts'

/** How much a sync has made, and the paths of its files. */
export function printResult(output: Pick<Output, 'success' | 'line'>, result: unknown): void {
  const files = rowsOf(fieldOf(result, 'generatedFiles'))
  const [cubes, milliseconds] = [fieldOf(result, 'cubeCount'), fieldOf(result, 'durationMs')].map(displayValue)
  output.success(`Generated ${cubes} cube(s) in ${files.length} file(s) in ${milliseconds}ms`)
  for (const file of files) output.line(oneCell(displayValue(fieldOf(file, 'path'))))
}
