import { CommanderError } from 'commander'
import { catalog } from './catalog.ts'
import type { Effects } from './effects.ts'
import type { Context } from './framework/command.ts'
import { usage } from './framework/failure.ts'
import type { GlobalOptions } from './framework/global-options.ts'
import { formatCompact } from './framework/json.ts'
import { createOutput, hasColour } from './framework/output.ts'
import { flag, optional, text } from './framework/parameter.ts'
import { parseArguments } from './framework/program.ts'
import { reportOf } from './framework/report.ts'
import { readConfig } from './session/config-file.ts'
import { resolveCredentials } from './session/credentials.ts'
import { createSession } from './session/session.ts'
import { version } from './version.ts'

const globals = {
  json: flag('print JSON instead of tables and sentences'),
  apiUrl: optional(text('url'), 'address of the server (environment: HEDRON_API_URL)'),
  token: optional(text('token'), 'API key or access token (environment: HEDRON_API_KEY)'),
  context: optional(text('name'), 'saved context to use'),
  version: flag('show the version', { short: 'V' }),
}

/**
 * Runs one command line and gives the exit code: 0 for success, help and version, 1 for a failure at run time, 2 for arguments
 * that cannot be read, 130 when interrupted.
 */
export async function main(argv: readonly string[], effects: Effects): Promise<number> {
  let usageLine = 'hedron [options] <command>'
  try {
    if (argv.length === 0) effects.stdout.write(`Hedron CLI ${version}\n\n`)
    const request = await parseArguments(normalized(argv), {
      catalog,
      globals,
      effects,
      onCommand: line => {
        usageLine = line
      },
    })
    if (request === null) {
      effects.stdout.write(`Hedron CLI ${version}\n`)
      return 0
    }
    if (request.globals.version !== undefined) throw usage("unknown option '--version' after a command")
    const run = request.command.prepare(request.texts)
    await run(contextOf(request.globals, effects))
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = isHelpOfGroup(error) ? usage('a command is missing') : error
    const { exitCode, line, document } = reportOf(failure)
    const red = (label: string) =>
      hasColour(effects.stderr, effects.environment) ? `\u001b[31m${label}\u001b[0m` : label
    effects.stderr.write(`${red('error:')} ${line}\n`)
    if (exitCode === 2) effects.stderr.write(`\nUsage: ${usageLine}\nRun it with --help for more.\n`)
    if (argv.includes('--json')) effects.stderr.write(`${formatCompact(document)}\n`)
    return exitCode
  }
}

/** A group without a command: its help was printed on the standard error. */
const isHelpOfGroup = (error: unknown): boolean => error instanceof CommanderError && error.code === 'commander.help'

/** `help x` is `x --help`; nothing at all is `--help`. */
function normalized(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
}

function contextOf(texts: Readonly<Record<string, readonly string[]>>, effects: Effects): Context {
  const read = (key: 'apiUrl' | 'token' | 'context') => globals[key].read(texts[key] ?? [], `--${key}`)
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
    session: async () =>
      createSession(resolveCredentials(await readConfig(effects), options, effects.environment), effects),
  }
}
