import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectedComponents, createJoinGraph } from '../../src/resolve/join-graph.ts'
import { joinShape } from '../../src/resolve/join-shape.ts'

const names = ['a', 'b', 'c', 'd']
const cubes = fc.subarray(names, { minLength: 1 })
const edge = fc
  .record({ from: fc.constantFrom(...names), to: fc.constantFrom(...names) })
  .map(({ from, to }) => ({ from, to, relationship: 'many_to_one', join: null }) as const)
const model = fc.record({ cubes, edges: fc.array(edge, { maxLength: 4 }) })

test('joins lead where they lead, whatever model was asked about before', () => {
  fc.assert(
    fc.property(fc.array(model, { minLength: 2, maxLength: 4 }), fc.nat(), (models, seed) => {
      // One of them twice in a row, as most compilations find the joins of the last one.
      const repeated = models[seed % models.length]
      for (const asked of repeated ? [...models, repeated, repeated] : models) {
        const shape = joinShape(asked.cubes, asked.edges)
        const graph = createJoinGraph(asked.edges)
        const components = connectedComponents(asked.cubes, asked.edges)
        for (const from of asked.cubes) {
          expect(shape.componentOf(from)).toBe(components.get(from))
          for (const to of asked.cubes) expect(shape.isJoined(from, to)).toBe(graph.path(from, to) !== null)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('the shape of the same joins is the same object', () => {
  const edges = () => [{ from: 'a', to: 'b', relationship: 'many_to_one', join: null }] as const
  const first = joinShape(['a', 'b'], edges())
  expect(joinShape(['a', 'b'], edges())).toBe(first)
  expect(joinShape(['b', 'a'], edges())).not.toBe(first)
})
