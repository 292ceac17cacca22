import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../scripts/build-cli.ts', import.meta.url))
const manifest = new URL('../../packages/cli/package.json', import.meta.url)

/** Runs the build as `npm run build:cli` does. @returns what it printed. */
export async function buildCli(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, [script, ...argv], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  if (code !== 0) throw new Error(`the build ended with ${code}: ${stdout}${stderr}`)
  return stdout
}

/** A binary for this machine in a folder. @returns its path. */
export async function buildBinary(folder: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  await mkdir(folder, { recursive: true })
  await buildCli(['--out', folder], environment)
  return join(folder, binaryName)
}

export const target = `${process.platform}-${process.arch}`
export const binaryName = `hedron-${target}`
export const packageVersion = async (): Promise<string> =>
  String((await import(manifest.href, { with: { type: 'json' } })).default.version)
