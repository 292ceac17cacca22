/**
 * Builds the command line as one file for each machine, and the files of a release of them:
 *
 *     node scripts/build-cli.ts                                   for this machine, to dist/cli
 *     node scripts/build-cli.ts --target all --download           for all, runtimes from the npm registry
 *     node scripts/build-cli.ts --publish                         archives, checksums, signature, installers
 *
 * HEDRON_RELEASE_KEY (an Ed25519 key in PEM) and HEDRON_RELEASE_URL are baked in where they are set; a binary without them
 * does not look for newer ones.
 */
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compile } from './build-cli/compile.ts'
import { publicKeyText, publish, readSigningKey } from './build-cli/publish.ts'
import { downloadRuntime, findCompiler, runtimeOf } from './build-cli/runtime.ts'
import { binaryName, hostTarget, type Target, targetNamed, targets } from './build-cli/targets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    out: { type: 'string', default: join(root, 'dist/cli') },
    download: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
})
const folder = resolve(values.out)
const pem = process.env.HEDRON_RELEASE_KEY ?? ''
const key = pem === '' ? null : readSigningKey(pem)
const address = (process.env.HEDRON_RELEASE_URL ?? '').replace(/\/+$/, '')
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))

try {
  if (values.publish) publishAll()
  else buildAll()
} catch (error) {
  console.error(`[build-cli] ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function publishAll(): void {
  if (key === null) throw new Error('HEDRON_RELEASE_KEY is not set: a release is signed.')
  if (address === '') throw new Error('HEDRON_RELEASE_URL is not set: installers must know where the releases are.')
  for (const name of publish({ folder, version, key, address })) console.log(`[build-cli] ${join(folder, name)}`)
}

function buildAll(): void {
  mkdirSync(folder, { recursive: true })
  const host = hostTarget()
  const compiler = findCompiler(host)
  const names = values.target ?? [host.name]
  const wanted = names.includes('all') ? targets : names.map(targetNamed)
  const missing = values.download ? [] : wanted.filter(target => target !== host && runtimeOf(target) === null)
  for (const target of wanted.filter(candidate => !missing.includes(candidate))) {
    const output = join(folder, binaryName(target))
    const facts = { target: target.name, key: key === null ? null : publicKeyText(key), address: address || null }
    compile({ compiler, runtime: target === host ? null : runtimeFor(target), facts, output })
    console.log(`[build-cli] ${output} (${Math.round(statSync(output).size / 1_000_000)} MB)`)
  }
  if (missing.length === 0) return
  throw new Error(
    `Not built for want of a runtime on this machine: ${missing.map(({ name }) => name).join(', ')}. --download fetches them from the npm registry, as the release workflow does.`,
  )
}

const runtimeFor = (target: Target): string =>
  runtimeOf(target) ?? downloadRuntime(target, join(root, 'node_modules/.cache/hedron-runtimes'))
