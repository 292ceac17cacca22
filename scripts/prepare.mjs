// Installs what Hedron needs, when it is not there or has changed. Runs before `npm start` (`--production`: nothing for
// development) and `npm test` on whatever Node the machine has, so this file keeps to what old versions understand. It can be
// interrupted at any point and run again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.hedron-installed')
const lock = join(root, '.hedron-install.lock')
const isForProduction = process.argv.includes('--production')
const say = message => console.log(`[hedron] ${message}`)

if (isInstalled()) process.exit(0)
withLock(() => {
  if (isInstalled()) return
  say(
    isForProduction
      ? 'Installing packages from npm (about half a minute the first time; later starts skip this) ...'
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

/** One installation at a time; a lock that its holder left behind is taken over. */
function withLock(work) {
  const deadline = Date.now() + 10 * 60_000
  for (let told = false; ; told = true) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isStale()) {
      rmSync(lock, { recursive: true, force: true })
      continue
    }
    if (Date.now() > deadline) {
      say(`Another installation holds ${lock} for ten minutes. Remove that folder if none is running.`)
      process.exit(1)
    }
    if (!told) say('Waiting for another installation in this folder ...')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.on('exit', release)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  writeFileSync(join(lock, 'pid'), String(process.pid))
  work()
}

function isStale() {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (error.code === 'ESRCH') return true
    if (error.code !== 'ENOENT') return false
    // Made, but its owner has not written its pid yet, or was killed before it could.
    try {
      return Date.now() - statSync(lock).mtimeMs > 5000
    } catch {
      return false
    }
  }
}
