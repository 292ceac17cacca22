// Builds the embedded pages when their sources have changed since the last time. `npm start` and `npm test` come here by
// `prepare.mjs`; `npm run build:pages` does alone. It can be interrupted at any point and run again. Plain old JavaScript, as there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './set-up-lock.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'packages', 'embed', 'dist', '.built')
const sources = [
  'packages/embed/src',
  'packages/embed/scripts',
  'packages/ui/src',
  'packages/contract/src',
  'package-lock.json',
]
const say = message => console.log(`[hedron] ${message}`)

/** Builds unless what is there was built of the same sources. */
export function buildPages() {
  // Programs that use the same set-up need not have pages.
  if (!existsSync(join(root, 'packages', 'embed', 'scripts', 'build.ts')) || isBuilt()) return
  withLock(join(root, '.hedron-build.lock'), 'build', say, () => {
    if (isBuilt()) return
    say('Building the embedded pages (some seconds; skipped until they change) ...')
    const began = Date.now()
    const print = fingerprint()
    const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
    const { status, error } = spawnSync(node, [join('packages', 'embed', 'scripts', 'build.ts')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (error || status !== 0) {
      say(`The embedded pages could not be built${error ? `: ${error.message}` : ''}.`)
      process.exit(1)
    }
    writeFileSync(stamp, print)
    say(`Built in ${Math.round((Date.now() - began) / 100) / 10} s.`)
  })
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(name => filesBelow(join(root, name))).sort()) {
    hash.update(relative(root, path).split(sep).join('/')).update('\0').update(readFileSync(path)).update('\0')
  }
  return `${hash.digest('hex')}\n`
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap(entry => {
      const inner = join(path, entry.name)
      return entry.isDirectory() ? filesBelow(inner) : [inner]
    })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPages()
