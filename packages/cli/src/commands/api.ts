import { command } from '../framework/command.ts'
import { usage } from '../framework/failure.ts'
import { keyValue, repeated, required, text } from '../framework/parameter.ts'
import { dataOption, readData } from './shared/data-option.ts'

export const api = command({
  details: 'Sends a request with the saved credential and prints the answer as JSON.',
  examples: [
    'hedron api GET /api/v1/deployments -q first=5',
    `hedron api PUT /api/v1/deployments/1 -d '{"name":"Flights"}'`,
  ],
  arguments: {
    method: required(text('method'), 'GET, POST, PUT, PATCH or DELETE'),
    path: required(text('path'), 'path on the server, with or without a query'),
  },
  options: {
    data: dataOption,
    query: repeated(keyValue, 'one pair of the query', { short: 'q' }),
  },
  check({ method, path, data }) {
    if (!/^[A-Za-z]+$/.test(method)) throw usage(`<method>: '${method}' is not a method of HTTP`)
    if (!path.startsWith('/')) throw usage(`<path>: '${path}' does not begin with /, as /api/v1/spec does`)
    if (data !== undefined && /^(get|head)$/i.test(method)) throw usage(`--data: a ${method} request carries no body`)
  },
  async run({ method, path, data, query }, { effects, output, session }) {
    const { request } = await session()
    const [pathname = '', search = ''] = splitAtFirst(path, '?')
    const values: Record<string, string[]> = {}
    for (const [key, value] of [...new URLSearchParams(search), ...query]) values[key] = [...(values[key] ?? []), value]
    const body = data === undefined ? undefined : await readData(data, effects)
    output.document(await request(method, pathname, { query: values, body }))
  },
})

function splitAtFirst(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}
