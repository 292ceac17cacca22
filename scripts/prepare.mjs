// Installs what Hedron needs and builds its pages, when they are not there or have changed. Runs before `npm start` (`--production`: nothing for
// development) and `npm test` on whatever Node the machine has, so this file keeps to what old versions understand. It can be
// interrupted at any point and run again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './build-pages.mjs'
import { withLock } from './set-up-lock.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.hedron-installed')
const lock = join(root, '.hedron-install.lock')
const isForProduction = process.argv.includes('--production')
const say = message => console.log(`[hedron] ${message}`)

if (!isInstalled())
  withLock(lock, 'installation', say, () => {
    if (isInstalled()) return
    say(
      isForProduction
        ? 'Installing packages from npm (about a minute the first time; later starts skip this) ...'
        : 'Installing packages from npm, those for development too (about a minute the first time; skipped later) ...',
    )
    const began = Date.now()
    rmSync(stamp, { force: true })
    const npm = process.env.npm_execpath
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--foreground-scripts=false']
    if (isForProduction) args.push('--omit=dev')
    const command = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
    const { status, error } = spawnSync(command[0], command[1], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (error || status !== 0) {
      say(
        `npm could not install the packages${error ? `: ${error.message}` : ''}. Check the network and try again; nothing needs cleaning up.`,
      )
      process.exit(1)
    }
    checkNode()
    writeFileSync(stamp, fingerprint(isForProduction))
    say(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`)
  })
buildPages()

/**
 * Whether what is installed is what the lock file says; by its content, so that a fresh checkout of the same tree counts. Who
 * needs nothing for development is content with more.
 */
function isInstalled() {
  if (!existsSync(stamp)) return false
  const installed = readFileSync(stamp, 'utf8')
  return installed === fingerprint(false) || (isForProduction && installed === fingerprint(true))
}

function fingerprint(withoutDevelopment) {
  const lockFile = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lockFile).digest('hex')
  return `${hash} ${process.platform}-${process.arch}${withoutDevelopment ? ' production' : ''}\n`
}

/** The packages bring the Node that Hedron runs on; an npm that refuses their install scripts leaves it out. */
function checkNode() {
  const node = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' })
  const version = status === 0 ? stdout.trim() : null
  if (version && Number(version.slice(1).split('.')[0]) >= 24) return
  say(
    `The pinned Node 24 did not install (${version || 'nothing found'}). npm must be allowed to run the install script of the package "node".`,
  )
  process.exit(1)
}
