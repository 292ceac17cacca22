import type { LogLine } from '@hedron/contract'
import { command } from '../framework/command.ts'
import { formatCompact } from '../framework/json.ts'
import { choice, duration, flag, integer, optional, text, withDefault } from '../framework/parameter.ts'
import { oneReason, printable } from '../framework/text.ts'
import { isTransient } from '../framework/wait.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { given } from './shared/one-request.ts'

/** So many failures in a row end following. */
const mostFailures = 5

export const logs = command({
  details:
    'The newest lines, oldest first: builds, and requests to the data API. With --follow the lines that come are printed until Ctrl-C; with --json each is a document on a line of its own then.',
  examples: ['hedron logs 1', 'hedron logs 1 --source production --follow', 'hedron logs 1 --pod build --first 50'],
  arguments: { deployment: deploymentArgument },
  options: {
    source: optional(choice('source', ['production', 'dev']), 'only production, or only dev and staging branches'),
    pod: optional(text('pod'), 'only this one: build, or a node'),
    container: optional(
      choice('container', ['INIT', 'MAIN', 'cubejs-server', 'vector', 'api-proxy']),
      'INIT: builds; MAIN: the data API',
      { short: 'c' },
    ),
    first: optional(integer('n', 1), 'lines at most'),
    after: optional(text('cursor'), 'lines after this cursor'),
    follow: flag('print lines as they come', { short: 'f' }),
    poll: withDefault(duration, '2s', 'time between two looks'),
  },
  async run({ deployment, source, pod, container, first, after, follow, poll }, { effects, output, session }) {
    const { client } = await session()
    const params = { deploymentId: deployment }
    const read = (cursor: string | undefined) =>
      client.logs({ params, query: given({ source, pod, container, first, after: cursor }) })
    const print = ({ date, pod: from, message }: LogLine) =>
      output.line(`${output.paint('dim', date)} ${output.paint('cyan', `[${from}]`)} ${printable(message).trimEnd()}`)

    let page = await read(after)
    if (!follow) {
      output.result(page, () => page.items.forEach(print))
      if (page.items.length === 0 && !output.json) output.progress('No log lines', 'dim')
      return
    }
    for (let cursor = after, failures = 0; ; ) {
      for (const line of page.items) {
        if (output.json) output.line(formatCompact(line))
        else print(line)
      }
      cursor = page.pageInfo?.endCursor ?? cursor
      await effects.sleep(poll, effects.signal)
      try {
        page = await read(cursor)
        failures = 0
      } catch (error) {
        failures += 1
        if (!isTransient(error) || failures > mostFailures) throw error
        const reason = error instanceof Error ? oneReason(error.message) : ''
        output.progress(`logs: ${reason} (retrying, ${failures}/${mostFailures})`)
        page = { items: [] }
      }
    }
  },
})
