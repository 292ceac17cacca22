import type { Result } from '../results/result.ts'
import { ChartError, encodings, fieldOf, isPart, type Part } from './spec.ts'

const mostGenerated = 100_000
const mostPlots = 100

/**
 * Refuses what would take the page down. Charts of agents come to the browser as a model wrote them, so that the server's check
 * (`content/safe-spec.ts` of the platform) has not seen them; what they could load is refused by the loader.
 *
 * @throws {ChartError} that names the part.
 */
export function checkSpec(spec: Part, result: Result) {
  checkPart(spec, 0)
  for (const [channel, definition] of encodings(spec)) {
    if (channel !== 'row' && channel !== 'column' && channel !== 'facet') continue
    const field = fieldOf(definition)
    const at = result.columns.findIndex(({ name }) => name === field)
    const values = new Set(result.rows.map(row => row[at]))
    if (values.size > mostPlots) {
      throw new ChartError(
        `The chart would have ${values.size} plots, one for each ${field}; at most ${mostPlots} are drawn.`,
      )
    }
  }
}

function checkPart(value: unknown, depth: number) {
  if (depth > 60) throw new ChartError('The specification nests deeper than 60 levels.')
  if (Array.isArray(value)) {
    for (const one of value) checkPart(one, depth + 1)
    return
  }
  if (!isPart(value)) return
  const { sequence } = value
  if (isPart(sequence)) {
    const [start, stop, step] = [sequence.start ?? 0, sequence.stop, sequence.step ?? 1]
    const isCountable = typeof start === 'number' && typeof stop === 'number' && typeof step === 'number' && step !== 0
    if (!isCountable || Math.abs((stop - start) / step) > mostGenerated) {
      throw new ChartError(
        `A sequence of the chart has more than ${mostGenerated} numbers, or no end that is a number.`,
      )
    }
  }
  for (const part of Object.values(value)) checkPart(part, depth + 1)
}
