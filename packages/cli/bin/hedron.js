#!/usr/bin/env node
// Plain JavaScript on purpose: this file also starts on a Node that cannot read TypeScript and then hands over to the pinned one.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const start = new URL('../src/start.ts', import.meta.url)

if (process.features.typescript) {
  silenceExperimentalWarnings()
  await import(start.href)
} else {
  handOver()
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
  const child = spawn(pinned, [fileURLToPath(start), ...process.argv.slice(2)], { stdio: 'inherit' })
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
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return null
  }
}
