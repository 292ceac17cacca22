import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { GitObject, ObjectId, ObjectReader } from '../../src/git/objects.ts'

// Tests that import this start programs by the hundred, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** An answer of the git program. `code` is its exit code. */
interface GitAnswer {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

export interface GitRepository extends AsyncDisposable {
  readonly directory: string
  /** Runs git here and returns what it printed. @throws when it fails. */
  git(args: readonly string[], input?: Uint8Array | string): Promise<string>
  /** The same with the bytes and the exit code, which some commands answer with. */
  run(args: readonly string[], input?: Uint8Array | string): Promise<GitAnswer>
  /** Reads objects with `git cat-file --batch`. */
  readonly reader: ObjectReader
  /** What `git fsck --strict` finds wrong, and nothing about branches that are not there. */
  fsck(...ids: readonly ObjectId[]): Promise<string>
  /** Writes objects as one pack, checked by `git index-pack --strict`. */
  unpack(pack: Uint8Array): Promise<void>
}

/** Only this environment, so that nobody's git configuration or hooks change what a test sees. */
const environment = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: tmpdir(),
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '1700000000 +0000',
}

/** Runs the git program with nothing of the machine's configuration. */
export function runGit(
  directory: string,
  args: readonly string[],
  input: Uint8Array | string = '',
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: directory, env: environment, timeout: 60_000 })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', code =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
    // A command may answer before it has read everything; its exit code tells what came of it.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** A new repository in a temporary folder, removed on disposal. */
export async function createRepository(): Promise<GitRepository> {
  const directory = await mkdtemp(join(tmpdir(), 'hedron-git-'))
  await runGit(directory, ['init', '--quiet', '--initial-branch=main'])
  return openRepository(directory, () => rm(directory, { recursive: true, force: true }))
}

/** A repository that is there already. It is only read. */
export function openRepository(directory: string, dispose = async () => {}): GitRepository {
  const run = (args: readonly string[], input?: Uint8Array | string) => runGit(directory, args, input)
  const git = async (args: readonly string[], input?: Uint8Array | string) => {
    const { code, stdout, stderr } = await run(args, input)
    if (code !== 0) throw new Error(`git ${args.join(' ')} answered ${code}: ${stderr}`)
    return stdout.toString()
  }
  return {
    directory,
    git,
    run,
    reader: {
      async read(ids) {
        const { stdout } = await run(['cat-file', '--batch'], ids.map(id => `${id}\n`).join(''))
        return parseBatch(stdout)
      },
    },
    async fsck(...ids) {
      const { code, stdout, stderr } = await run(['fsck', '--strict', '--no-dangling', ...ids])
      const complaints = `${stdout}${stderr.replaceAll(/^notice: .*\n/gm, '')}`
      return code === 0 ? complaints : `${complaints}answered ${code}`
    },
    async unpack(pack) {
      await git(['index-pack', '--strict', '--stdin'], pack)
    },
    [Symbol.asyncDispose]: dispose,
  }
}

function parseBatch(output: Buffer): Map<ObjectId, GitObject> {
  const objects = new Map<ObjectId, GitObject>()
  let offset = 0
  while (offset < output.length) {
    const end = output.indexOf('\n', offset)
    const [id = '', type = '', size = '0'] = output.toString('latin1', offset, end).split(' ')
    offset = end + 1
    if (type === 'missing') continue
    const content = output.subarray(offset, offset + Number(size))
    if (type === 'blob' || type === 'tree' || type === 'commit') objects.set(id, { type, content })
    offset += content.length + 1
  }
  return objects
}
