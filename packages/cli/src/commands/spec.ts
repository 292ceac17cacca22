import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { optional, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { excerpt, matches, operationsOf } from './shared/openapi.ts'

export const spec = command({
  details: 'The pattern is looked for in method, path, summary and operation id, whatever its case.',
  examples: ['hedron spec', 'hedron spec branches', "hedron spec 'post /build' --json"],
  arguments: { pattern: optional(text('pattern'), 'only the operations that match') },
  options: {},
  async run({ pattern }, { output, session }) {
    const document = await (await session()).client.getSpec({})
    const operations = operationsOf(document).filter(operation => matches(operation, pattern ?? ''))
    if (pattern !== undefined && operations.length === 0) throw new Failure('operation_not_found', { pattern })
    const columns = [column('METHOD', 'method'), column('PATH', 'path'), column('SUMMARY', 'summary')]
    output.result(pattern === undefined ? document : excerpt(document, operations), () =>
      output.table(columns, operations),
    )
  },
})
