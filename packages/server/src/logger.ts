import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Structured logs on standard error, so that what start prints for people stands alone on standard output. */
export function createLogger(config: Pick<Config, 'logLevel' | 'logFormat'>, isTerminal: boolean): Logger {
  const options = {
    level: config.logLevel,
    redact: ['req.headers.authorization', 'headers.authorization', '*.password', '*.token', '*.secret'],
  }
  const format = config.logFormat ?? (isTerminal ? 'text' : 'json')
  return format === 'json' ? pino(options, pino.destination(2)) : pino(options, textStream())
}

/** One line a record for whoever reads along in a terminal. */
function textStream(): { write(line: string): void } {
  return {
    write(line) {
      const record: unknown = JSON.parse(line)
      if (typeof record !== 'object' || record === null) return
      const { level, time, msg, err } = record as {
        level: number
        time: number
        msg?: string
        err?: { stack?: string }
      }
      const name = level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug'
      const clock = new Date(time).toISOString().slice(11, 19)
      process.stderr.write(`${clock} ${name.padEnd(5)} ${msg ?? ''}${err?.stack ? `\n${err.stack}` : ''}\n`)
    },
  }
}
