import { fstatSync, writeSync } from 'node:fs'
import type { Writer } from './effects.ts'

/** What a shell reports for a program whose reader has left. */
const readerLeft = 141

/**
 * The standard output (1) or error (2). Text is written at once, without the runtime's streams, which take 10 ms to load in the binary, as
 * long as whoever reads keeps up; a reader that is slow gets the rest through the stream. Ends the process where the reader has left, as in
 * `hedron … | head`, or nothing can be written, which the standard error then says of a full disk and the like.
 */
export function standardOutput(descriptor: 1 | 2): Writer {
  const isTerminal = isTerminalAt(descriptor)
  let stream: NodeJS.WriteStream | undefined
  // Once it is there all goes through it, so that what was written first arrives first.
  const open = (): NodeJS.WriteStream => {
    stream ??= openStream(descriptor)
    return stream
  }
  // A console of Windows reads no UTF-8; its stream knows.
  if (isTerminal && process.platform === 'win32') open()
  return {
    write(text) {
      const rest = stream === undefined ? writeAtOnce(descriptor, Buffer.from(text)) : text
      if (rest.length > 0) open().write(rest)
    },
    isTerminal,
    get columns() {
      return isTerminal ? open().columns : undefined
    },
  }
}

/** @returns what a reader that does not keep up has not taken. */
function writeAtOnce(descriptor: number, bytes: Buffer): Buffer {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) leave(error)
  }
  return rest
}

function openStream(descriptor: 1 | 2): NodeJS.WriteStream {
  const stream = descriptor === 1 ? process.stdout : process.stderr
  stream.on('error', leave)
  return stream
}

function leave(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(readerLeft)
  try {
    writeSync(2, `error: the output could not be written: ${error instanceof Error ? error.message : String(error)}\n`)
  } catch {
    // That is where it could not be written.
  }
  process.exit(1)
}

function isTerminalAt(descriptor: number): boolean {
  try {
    // Asked first, since `node:tty` takes 2 ms to load in the binary.
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(descriptor)
  } catch {
    return false
  }
}
