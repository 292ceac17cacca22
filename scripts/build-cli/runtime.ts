import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Target } from './targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

/**
 * The compiler: the runtime of this machine, from the packages. Installed with its scripts the package keeps it under its own
 * name, without them in the package of the machine.
 */
export function findCompiler(host: Target): string {
  const found = [runtimeOf(host), join(packageFolder('bun') ?? '', 'bin', 'bun.exe')].find(
    path => path !== null && existsSync(path),
  )
  if (found == null) throw new Error('The package bun is not installed: run npm install.')
  return found
}

/** The runtime of another machine, where its package is installed. */
export function runtimeOf({ runtime, executable }: Target): string | null {
  const folder = packageFolder(runtime)
  const path = folder === null ? null : join(folder, executable)
  return path !== null && existsSync(path) ? path : null
}

/** Fetches the runtime of another machine from the registry; it must be the one that the lock file names. */
export function downloadRuntime(target: Target, folder: string): string {
  const place = join(folder, target.name)
  const path = join(place, 'package', target.executable)
  if (existsSync(path)) return path
  mkdirSync(place, { recursive: true })
  const { version, integrity } = lockedPackage(target.runtime)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = execFileSync(npm, ['pack', `${target.runtime}@${version}`, '--json', '--pack-destination', place], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const archive = join(place, archiveName(packed))
  const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (actual !== integrity) throw new Error(`${archive} is not what package-lock.json names for ${target.runtime}.`)
  execFileSync('tar', ['-xzf', archive, '-C', place])
  return path
}

function archiveName(packed: string): string {
  const parsed: unknown = JSON.parse(packed)
  const [first]: unknown[] = Array.isArray(parsed) ? parsed : Object.values(Object(parsed))
  return String(Object(first).filename)
}

function lockedPackage(name: string): { version: string; integrity: string } {
  const lock: { packages: Record<string, { version?: string; integrity?: string } | undefined> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {}
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json does not name ${name}.`)
  return { version, integrity }
}

function packageFolder(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch {
    return null
  }
}
