import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'

/** A repository of git that answers over http, from plain files. */
export interface FileRepository {
  readonly url: string
  close(): void
}

/** Makes a repository of one commit in an empty folder, and serves it. */
export async function serveRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<FileRepository> {
  const work = join(folder, 'work')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
  const bare = join(folder, 'bare')
  const git = (cwd: string, ...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...argv], { cwd, stdio: 'ignore' })
  git(work, 'init', '--quiet', '--initial-branch', 'main')
  git(work, 'add', '--all')
  git(work, 'commit', '--quiet', '--message', 'A project')
  git(folder, 'clone', '--quiet', '--bare', work, bare)
  git(bare, 'update-server-info')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    readFile(join(bare, normalize(pathname))).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
