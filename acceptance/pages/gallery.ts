import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const gallery = fileURLToPath(new URL('../../packages/ui/gallery/', import.meta.url))
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** What pages with these components may do: nothing inline, no `eval`, nothing from elsewhere but pictures. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: https:; connect-src 'self'"

/** The gallery of `packages/ui`, built as pages are and served under their policy. */
export async function serveGallery(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hedron-gallery-'))
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await build({
    root: gallery,
    configFile: join(gallery, 'vite.config.ts'),
    build: { outDir: folder, emptyOutDir: true },
  })
  process.env.NODE_ENV = before
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    try {
      const body = await readFile(join(folder, pathname === '/' ? 'index.html' : pathname))
      response.writeHead(200, {
        'Content-Type': types[extname(pathname)] ?? 'text/html',
        'Content-Security-Policy': policy,
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The gallery is not served.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
