/**
 * Builds `dist/`: the package as products install it (`npm install <this folder>/dist`), one module without imports but React, with its types.
 * It is built beside and put in place at the end.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const made = join(root, `dist-${process.pid}`)
const final = join(root, 'dist')

try {
  await mkdir(made)
  await buildModule()
  await writeTypes()
  await writeFile(join(made, 'package.json'), await manifest())
  await rm(final, { recursive: true, force: true })
  await rename(made, final)
} finally {
  await rm(made, { recursive: true, force: true })
}

async function buildModule(): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: made,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
      rolldownOptions: { external: ['react'] },
    },
  })
}

/** Types of the sources beside those of `/embed.js`, which they are made over. */
async function writeTypes(): Promise<void> {
  const compiler = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src', '--outDir', made]
  execFileSync(compiler, ['-p', '.', ...options], { cwd: root, stdio: 'inherit' })
  for (const name of (await readdir(made)).filter(each => each.endsWith('.d.ts'))) {
    const text = await readFile(join(made, name), 'utf8')
    const rewritten = text
      .replaceAll("'@hedron/embed/host'", "'./embed.js'")
      .replace(/(from '\.\/[\w-]+)\.tsx?'/g, "$1.js'")
    await writeFile(join(made, name), rewritten)
  }
  await cp(fileURLToPath(new URL('../../embed/src/host/elements.d.ts', import.meta.url)), join(made, 'embed.d.ts'))
}

async function manifest(): Promise<string> {
  const { name, version, license, description, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const exports = { '.': { types: './index.d.ts', default: './index.js' } }
  return `${JSON.stringify({ name, version, license, description, type: 'module', exports, peerDependencies }, null, 2)}\n`
}
