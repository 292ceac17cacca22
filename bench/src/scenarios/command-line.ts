import { execFileSync } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from '../../../scripts/build-cli/compile.ts'
import { findCompiler } from '../../../scripts/build-cli/runtime.ts'
import { hostTarget } from '../../../scripts/build-cli/targets.ts'
import type { Scenario } from '../shapes.ts'
import { cubeFile } from '../support/generate-model.ts'
import { interleave } from '../support/interleave.ts'
import { commandLineBinary, peer, commandLine as program, programOf, root } from '../support/paths.ts'
import { createDeployment, startPlatform, untilBuilt } from '../support/platform.ts'
import { runProgram } from '../support/run-program.ts'
import type { Scope } from '../support/scope.ts'
import { summarise } from '../support/statistics.ts'

/** Files of the project that is deployed, none of which has changed. */
const deployedFiles = 10

export const commandLine: Scenario = {
  name: 'command-line',
  describes: 'time of whole runs of the command line',
  async run({ quick, scope }) {
    execFileSync(process.execPath, [join(root, 'scripts/build-cli.ts')], { stdio: 'ignore' })
    const bareBinary = await buildBare(scope)
    const platform = await startPlatform(scope, { demo: true })
    const environment = {
      HOME: await scope.folder(),
      HEDRON_API_URL: platform.baseUrl,
      HEDRON_API_KEY: platform.apiKey,
    }
    const runOf =
      (...argv: readonly [command: string, ...rest: string[]]) =>
      async () =>
        (await runProgram(scope, argv, { environment })).milliseconds
    const deploy = [
      'deploy',
      String(await createDeployment(platform, 'small')),
      '--directory',
      await smallProject(scope),
    ]
    await runOf(commandLineBinary, ...deploy)()
    await untilBuilt(platform, Number(deploy[1]))
    const measured = await interleave(
      { rounds: quick ? 5 : 30, warmUps: 2 },
      {
        version: runOf(commandLineBinary, '--version'),
        list: runOf(commandLineBinary, 'deployments', 'list'),
        deploy: runOf(commandLineBinary, ...deploy),
        versionOnNode: runOf(process.execPath, program, '--version'),
        listOnNode: runOf(process.execPath, program, 'deployments', 'list'),
        bare: runOf(bareBinary),
        node: runOf(process.execPath, '-e', '0'),
        reference: runOf(process.execPath, programOf('cubejs-cli', 'cubejs'), '--version'),
      },
    )
    const node = { what: 'node -e 0', summary: measured('node') }
    const bare = { what: 'a binary that prints one word', summary: measured('bare') }
    const reference = { what: 'reference npm client --version', summary: measured('reference') }
    const tenfold = (name: 'version' | 'list') => ({
      text: '10x faster',
      met: measured(name).median * 10 <= measured('reference').median,
    })
    const plain = (what: string, name: Parameters<typeof measured>[0], beside: typeof node) => ({
      what,
      unit: 'ms' as const,
      hedron: measured(name),
      beside,
      goal: null,
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
      plain('hedron --version', 'version', bare),
      plain('hedron --version', 'version', node),
      plain('hedron --version, on Node', 'versionOnNode', node),
      plain('hedron deployments list, on Node', 'listOnNode', node),
      {
        what: 'hedron deployments list',
        unit: 'ms',
        hedron: measured('list'),
        beside: reference,
        goal: tenfold('list'),
        note: 'Hedron asks its server; the reference client only prints its version.',
      },
      plain('hedron deployments list', 'list', bare),
      plain(`hedron deploy, none of ${deployedFiles} files changed`, 'deploy', bare),
      {
        what: 'size of the binary',
        unit: 'MiB',
        hedron: await sizeOf(commandLineBinary),
        beside: { what: bare.what, summary: await sizeOf(bareBinary) },
        goal: null,
      },
    ]
  },
}

/** The same runtime with nothing in it: what no binary of it can be faster or smaller than. */
async function buildBare(scope: Scope): Promise<string> {
  const output = join(await scope.folder(), 'bare')
  const entry = peer('bare-program.ts')
  compile({ compiler: findCompiler(hostTarget()), runtime: null, facts: {}, output, entry })
  return output
}

async function smallProject(scope: Scope): Promise<string> {
  const folder = await scope.folder()
  for (let index = 0; index < deployedFiles; index += 1) {
    const { path, content } = cubeFile(index, 1)
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

const sizeOf = async (path: string) => summarise([(await stat(path)).size / 2 ** 20])
