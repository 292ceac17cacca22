// Installs what the measurements compare with, when it is not there or has changed. Runs on whatever Node npm has.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const stamp = join(folder, 'node_modules', '.hedron-installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')
const say = message => console.log(`[bench] ${message}`)

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) install()

function install() {
  say('Installing the load generator and the reference client from npm (about 15 s, once) ...')
  rmSync(stamp, { force: true })
  const npm = process.env.npm_execpath
  // Without install scripts: they would download programs that nothing here uses.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const command = npm ? [process.execPath, [npm, ...args]] : ['npm', args]
  const { status, error } = spawnSync(command[0], command[1], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) {
    say(`npm could not install them${error ? `: ${error.message}` : ''}. Check the network and try again.`)
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
