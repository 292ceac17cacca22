#!/usr/bin/env node
// Plain JavaScript on purpose: this file also starts on a Node that cannot read TypeScript and then hands over to the pinned one.
import { spawn } from 'node:child_process'
import * as modules from 'node:module'
import { constants, homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = modules.createRequire(import.meta.url)
const start = new URL('../src/start.ts', import.meta.url)
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // Scripts ask this to see whether the program is there, so nothing else is loaded for it.
  process.stdout.write(`Hedron CLI ${require('../package.json').version}\n`)
} else if (process.features.typescript) {
  silenceExperimentalWarnings()
  modules.enableCompileCache?.(cacheDirectory())
  await import(start.href)
} else {
  handOver()
}

/** Compiled code is kept in the user's own cache: a folder that others can write would let them run code here. */
function cacheDirectory() {
  const base = process.env.XDG_CACHE_HOME ?? ''
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'hedron', 'node')
}

/** Node 22 announces type stripping as experimental on every run; that is nothing a user of the command line can act on. */
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'string' ? rest[0] : rest[0]?.type
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
}

function handOver() {
  const pinned = pinnedNode()
  if (pinned === null) {
    process.stderr.write(
      `error: hedron needs Node 22.18 or later and this is ${process.version}; run \`npm install\` in the project to get the pinned one\n`,
    )
    process.exitCode = 1
    return
  }
  const child = spawn(pinned, [fileURLToPath(start), ...argv], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: cacheDirectory(), ...process.env },
  })
  // A terminal sends Ctrl-C to both processes: the child decides what happens, this one waits for it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`error: cannot start ${pinned}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/** The `node` package that the project pins; its folder is looked up as any dependency is. */
function pinnedNode() {
  try {
    const manifest = require.resolve('node/package.json')
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return null
  }
}
