import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Scenario } from '../shapes.ts'
import { interleave } from '../support/interleave.ts'
import { commandLineBinary, commandLine as program, programOf, root } from '../support/paths.ts'
import { startPlatform } from '../support/platform.ts'
import { runProgram } from '../support/run-program.ts'

export const commandLine: Scenario = {
  name: 'command-line',
  describes: 'time of whole runs of the command line',
  async run({ quick, scope }) {
    execFileSync(process.execPath, [join(root, 'scripts/build-cli.ts')], { stdio: 'ignore' })
    const platform = await startPlatform(scope, { demo: true })
    const environment = {
      HOME: await scope.folder(),
      HEDRON_API_URL: platform.baseUrl,
      HEDRON_API_KEY: platform.apiKey,
    }
    const run =
      (...argv: readonly string[]) =>
      async () =>
        (await runProgram(scope, [process.execPath, ...argv], { environment })).milliseconds
    const runBinary =
      (...argv: readonly string[]) =>
      async () =>
        (await runProgram(scope, [commandLineBinary, ...argv], { environment })).milliseconds
    const measured = await interleave(
      { rounds: quick ? 5 : 30, warmUps: 2 },
      {
        version: runBinary('--version'),
        list: runBinary('deployments', 'list'),
        versionOnNode: run(program, '--version'),
        listOnNode: run(program, 'deployments', 'list'),
        node: run('-e', '0'),
        reference: run(programOf('cubejs-cli', 'cubejs'), '--version'),
      },
    )
    const node = { what: 'node -e 0', summary: measured('node') }
    const reference = { what: 'reference npm client --version', summary: measured('reference') }
    const tenfold = (name: 'version' | 'list') => ({
      text: '10x faster',
      met: measured(name).median * 10 <= measured('reference').median,
    })
    return [
      {
        what: 'hedron --version',
        unit: 'ms',
        hedron: measured('version'),
        beside: reference,
        goal: tenfold('version'),
        isHeadline: true,
        note: 'The one file that scripts/build-cli.ts makes; the reference client and node -e 0 on the same Node.',
      },
      { what: 'hedron --version', unit: 'ms', hedron: measured('version'), beside: node, goal: null },
      { what: 'hedron --version, on Node', unit: 'ms', hedron: measured('versionOnNode'), beside: node, goal: null },
      {
        what: 'hedron deployments list, on Node',
        unit: 'ms',
        hedron: measured('listOnNode'),
        beside: node,
        goal: null,
      },
      {
        what: 'hedron deployments list',
        unit: 'ms',
        hedron: measured('list'),
        beside: reference,
        goal: tenfold('list'),
      },
      { what: 'hedron deployments list', unit: 'ms', hedron: measured('list'), beside: node, goal: null },
    ]
  },
}
