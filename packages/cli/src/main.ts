import { ApiError } from '@hedron/contract/client'
import { CommanderError } from 'commander'
import { catalog } from './catalog.ts'
import type { Effects } from './effects.ts'
import { type Context, optionName } from './framework/command.ts'
import { Failure, usage } from './framework/failure.ts'
import { type GlobalOptions, globalParameters } from './framework/global-options.ts'
import { formatCompact } from './framework/json.ts'
import { createOutput } from './framework/output.ts'
import { flag } from './framework/parameter.ts'
import { parseArguments } from './framework/program.ts'
import { reportOf } from './framework/report.ts'
import { readConfig } from './session/config-file.ts'
import { resolveCredentials } from './session/credentials.ts'
import { createRenewal } from './session/renewal.ts'
import { createSession } from './session/session.ts'
import { noticeUpdate } from './update/notice.ts'
import { isVersionQuestion, versionLine } from './version.ts'

/** They deal with releases themselves, or their output is read by a shell as it starts. */
const silentAboutUpdates = ['update', 'completion']

const globals = { ...globalParameters, version: flag('show the version', { short: 'V' }) }

/**
 * Runs one command line and gives the exit code: 0 for success, help and version, 1 for a failure at run time, 2 for arguments
 * that cannot be read, 130 when interrupted.
 */
export async function main(argv: readonly string[], effects: Effects): Promise<number> {
  const isSilent = silentAboutUpdates.includes(argv[0] ?? '')
  let usageLine = 'hedron [options] [command]'
  let asked: string | null = null
  try {
    if (argv.length === 0) effects.stdout.write(`${versionLine}\n\n`)
    if (isVersionQuestion(argv)) {
      effects.stdout.write(`${versionLine}\n`)
      return 0
    }
    const request = await parseArguments(normalized(argv), {
      catalog,
      globals,
      effects,
      onCommand: line => {
        usageLine = line
      },
    })
    if (request.globals.version !== undefined) throw usage("unknown option '--version' after a command")
    const run = request.command.prepare(request.texts)
    const noting: Effects['fetch'] = (url, sent) => {
      asked = `${sent.method} ${new URL(url).pathname}`
      return effects.fetch(url, sent)
    }
    await run(contextOf(request.globals, { ...effects, fetch: noting }))
    if (!isSilent) await noticeUpdate(effects, createOutput(effects, argv.includes('--json')), false)
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = failureOf(error, effects.signal, asked)
    const { exitCode, line, document } = reportOf(failure)
    const output = createOutput(effects, argv.includes('--json'))
    output.failure(line)
    if (exitCode === 2) output.progress(`\nUsage: ${usageLine}\nRun it with --help for more.`)
    if (output.json) output.progress(formatCompact(document))
    if (exitCode === 1 && !isSilent) await noticeUpdate(effects, output, failure instanceof ApiError)
    return exitCode
  }
}

/**
 * The failure to report: whatever went wrong after Ctrl-C went wrong because of it, and where a value is of another type than the
 * contract says, the last answer was.
 */
function failureOf(error: unknown, signal: AbortSignal, asked: string | null): unknown {
  if (signal.aborted) return new Failure('interrupted')
  if (error instanceof TypeError && asked !== null) return new Failure('answer_unreadable', { request: asked }, error)
  // A group without a command: its help was printed on the standard error.
  if (error instanceof CommanderError && error.code === 'commander.help') return usage('a command is missing')
  return error
}

/** `help x` is `x --help`; nothing at all is `--help`. */
function normalized(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
}

function contextOf(texts: Readonly<Record<string, readonly string[]>>, effects: Effects): Context {
  const read = (key: 'apiUrl' | 'token' | 'context') => globals[key].read(texts[key] ?? [], optionName(key))
  const options: GlobalOptions = {
    json: texts.json !== undefined,
    apiUrl: read('apiUrl'),
    token: read('token'),
    context: read('context'),
  }
  return {
    effects,
    output: createOutput(effects, options.json),
    catalog,
    globals: options,
    session: async (signal = effects.signal) => {
      const own = { ...effects, signal }
      const credentials = resolveCredentials(await readConfig(own), options, own.environment)
      const { url, renewable } = credentials
      const renew = renewable === undefined ? undefined : createRenewal(own, url, renewable)
      return createSession(credentials, own, renew)
    },
  }
}
