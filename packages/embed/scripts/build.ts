/**
 * Builds the embedded pages into `dist/`: hashed files with a brotli and a gzip of each, `pages.json` that names what the server's shell
 * loads, and `embed.js` for pages of hosts. It is built beside and put in place at the end, so a build that is interrupted changes nothing.
 */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { pageAliases } from '@hedron/ui/build'
import { build, type Manifest } from 'vite'

// Whoever starts this, it is for use: tests set another one, and JSX would be made for development.
process.env.NODE_ENV = 'production'

const root = fileURLToPath(new URL('..', import.meta.url))
const made = join(root, `dist-${process.pid}`)
const final = join(root, 'dist')

/** What a surface needs beside the main file, by the modules that it is made of. */
const surfaces = {
  dashboard: ['src/dashboard/dashboard-page.tsx'],
  chat: ['src/chat/chat-page.tsx'],
  app: ['src/creator/creator-page.tsx'],
} as const

/** Components, the client and what they stand on; not what is read on demand, and no other library. */
const sharedSources =
  /packages\/(?:ui\/src\/(?!messages\/locales\/)|contract\/src\/|embed\/src\/(?:frame|states)\/)|node_modules\/(?:preact|@tanstack)\//

try {
  await buildPages()
  await buildHostScript()
  await compressAll(join(made, 'assets'))
  await writeFile(join(made, 'pages.json'), `${JSON.stringify(await describe(), null, 1)}\n`)
  await rm(join(made, '.vite'), { recursive: true, force: true })
  // Files of the build before stay until the next: a page that was served just now still asks for them.
  await keepOlder()
  await rm(`${final}-old`, { recursive: true, force: true })
  await rename(final, `${final}-old`).catch(() => undefined)
  await rename(made, final)
  await rm(`${final}-old`, { recursive: true, force: true })
} finally {
  await rm(made, { recursive: true, force: true })
}

async function buildPages(): Promise<void> {
  await build({
    root,
    base: '/embed/',
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: pageAliases },
    build: {
      outDir: made,
      emptyOutDir: true,
      assetsDir: 'assets',
      manifest: true,
      target: 'es2022',
      sourcemap: false,
      // Frames load from one origin: what is needed is asked for by the shell, not by a script.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1500,
      rolldownOptions: {
        input: { boot: 'src/boot.ts', main: 'src/main.tsx' },
        // What several surfaces use is one file, where it would be a dozen small ones that a page asks for one by one.
        output: { codeSplitting: { groups: [{ name: 'shared', test: sharedSources, minShareCount: 2 }] } },
      },
    },
  })
}

/** One classic script without imports, since it is named in a `<script>` of pages that are not ours. */
async function buildHostScript(): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: made,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { input: 'src/host/embed.ts', output: { format: 'iife', entryFileNames: 'embed.js' } },
    },
  })
  await cp(join(root, 'src/host/elements.d.ts'), join(made, 'embed.d.ts'))
}

async function describe() {
  const manifest: Manifest = JSON.parse(await readFile(join(made, '.vite/manifest.json'), 'utf8'))
  const main = chunk('src/main.tsx')
  const mainFiles = new Set(filesOf('src/main.tsx'))
  const preload = Object.fromEntries(
    Object.entries(surfaces).map(([surface, sources]) => [
      surface,
      [...new Set(sources.flatMap(source => filesOf(source)))].filter(name => !mainFiles.has(name)),
    ]),
  )
  return {
    boot: chunk('src/boot.ts').file,
    main: main.file,
    styles: [...mainFiles].filter(name => name.endsWith('.css')),
    preload: {
      ...preload,
      // What the main file imports at once goes to every surface.
      ...Object.fromEntries(
        Object.entries(preload).map(([surface, names]) => [
          surface,
          [...[...mainFiles].filter(name => name !== main.file && name.endsWith('.js')), ...names],
        ]),
      ),
    },
  }

  function chunk(source: string) {
    const found = manifest[source]
    if (found === undefined) throw new Error(`the build made nothing of ${source}`)
    return found
  }

  /** The file of a module, those that it imports at once, and their styles. */
  function filesOf(source: string, seen = new Set<string>()): string[] {
    const found = manifest[source]
    if (found === undefined || seen.has(source)) return []
    seen.add(source)
    return [found.file, ...(found.css ?? []), ...(found.imports ?? []).flatMap(name => filesOf(name, seen))]
  }
}

async function compressAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:js|css|json|svg)$/.test(name)) continue
    const path = join(folder, name)
    const content = await readFile(path)
    const options = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, options))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}

async function keepOlder(): Promise<void> {
  const [before, now] = await Promise.all([listed(final), listed(made)])
  const previous = await readFile(join(final, 'pages.json'), 'utf8').catch(() => null)
  if (previous === null) return
  for (const name of before) {
    if (!now.has(name) && (await isOfLastBuild(name))) await cp(join(final, 'assets', name), join(made, 'assets', name))
  }
  await writeFile(join(made, 'assets.json'), JSON.stringify([...now]))

  async function isOfLastBuild(name: string): Promise<boolean> {
    const text = await readFile(join(final, 'assets.json'), 'utf8').catch(() => null)
    return text === null || JSON.parse(text).includes(name)
  }
  async function listed(folder: string): Promise<Set<string>> {
    return new Set(await readdir(join(folder, 'assets')).catch(() => []))
  }
}
