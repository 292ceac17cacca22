import { spawnSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const commandLine = join(root, 'packages/cli/src/binary.ts')

export interface Build {
  /** The runtime that compiles. */
  readonly compiler: string
  /** The runtime that the binary holds; null for the compiler's own. */
  readonly runtime: string | null
  /** Baked in: see packages/cli/src/update/build-facts.ts. */
  readonly facts: Readonly<Record<string, string | null>>
  readonly output: string
  /** The program; the command line where it is left out. */
  readonly entry?: string
}

/**
 * Compiles the command line into one file. What lies in the folder in which it is run must not run inside it, so it reads no
 * `.env` and no `bunfig.toml` there, which such binaries do unless they are told not to.
 */
export function compile({ compiler, runtime, facts, output, entry = commandLine }: Build): void {
  // Compiled beside its place and moved there: a binary that is half written is never found under its name.
  const folder = mkdtempSync(join(dirname(output), '.build-'))
  const temporary = join(folder, basename(output))
  try {
    const { status, stderr, error } = spawnSync(
      compiler,
      [
        'build',
        ...['--compile', '--minify', '--bytecode'],
        ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
        ...(runtime === null ? [] : [`--compile-executable-path=${runtime}`]),
        ...['--define', `HEDRON_BUILD=${JSON.stringify(facts)}`],
        ...[entry, '--outfile', temporary],
      ],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`${compiler} ended with ${status}:\n${stderr}`)
    renameSync(temporary, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
