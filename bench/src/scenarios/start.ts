import type { Scenario } from '../shapes.ts'
import { interleave } from '../support/interleave.ts'
import { peer } from '../support/paths.ts'
import { startPlatform } from '../support/platform.ts'
import { runProgram } from '../support/run-program.ts'
import type { Scope } from '../support/scope.ts'
import { startServer } from '../support/start-server.ts'

/** Seconds of SPEC and DESIGN section 5. */
const goalMilliseconds = 3_000

export const start: Scenario = {
  name: 'start',
  describes: 'from the start of the process to its first ready answer',
  async run({ quick, scope, say }) {
    const first = await startPlatform(scope, { demo: true })
    const { dataDirectory } = first
    await first.stop()

    say('on the data of an earlier start')
    const warm = await interleave(
      { rounds: quick ? 3 : 15, warmUps: 1 },
      {
        platform: () => readyOf(startPlatform(scope, { demo: true, dataDirectory })),
        fastify: () => readyOf(startEmptyServer(scope)),
        node: () => startNode(scope),
      },
    )
    say('in a new data directory')
    const cold = await interleave(
      { rounds: quick ? 1 : 5 },
      {
        platform: () => readyOf(startPlatform(scope, { demo: true })),
        fastify: () => readyOf(startEmptyServer(scope)),
      },
    )
    const met = warm('platform').median <= goalMilliseconds
    const besideFastify = { what: 'an empty Fastify server', summary: warm('fastify') }
    return [
      {
        what: 'start to ready, warm',
        unit: 'ms',
        hedron: warm('platform'),
        beside: besideFastify,
        goal: { text: 'at most 3 s', met },
        isHeadline: true,
        note: 'With the demo of three million rows; PostgreSQL is started and migrated too. Ready: first 200 of /readyz.',
      },
      {
        what: 'start to ready, warm',
        unit: 'ms',
        hedron: warm('platform'),
        beside: { what: 'node -e 0, to its end', summary: warm('node') },
        goal: null,
      },
      {
        what: 'start to ready, new data directory',
        unit: 'ms',
        hedron: cold('platform'),
        beside: { what: 'an empty Fastify server', summary: cold('fastify') },
        goal: null,
        note: 'Makes the database cluster, the schema, the first account and the demo with a copy of its data.',
      },
    ]
  },
}

const startEmptyServer = (scope: Scope) =>
  startServer(scope, { program: peer('fastify-server.ts'), environment: port => ({ PORT: String(port) }) })

async function readyOf(starting: Promise<{ readyMilliseconds: number; stop(): Promise<void> }>): Promise<number> {
  const server = await starting
  await server.stop()
  return server.readyMilliseconds
}

const startNode = async (scope: Scope) => (await runProgram(scope, [process.execPath, '-e', '0'])).milliseconds
