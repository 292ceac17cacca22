import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Bundles `page.js` as a customer does and serves it. @returns its address, and what ends that. */
export async function servePage(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const script = await bundle()
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(
      isScript ? script : '<!doctype html><title>A page</title><body><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page is served on no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => new Promise(resolve => server.close(() => resolve()).closeAllConnections()),
  }
}

async function bundle(): Promise<string> {
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: fileURLToPath(new URL('page.js', import.meta.url)) },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap(each => ('output' in each ? each.output : []))
  const [entry] = outputs.flatMap(each => (each.type === 'chunk' && each.isEntry ? [each.code] : []))
  if (entry === undefined) throw new Error('the page was not bundled into one script')
  return entry
}
