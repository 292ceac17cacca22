import { expect, test } from 'vitest'
import { answer, createView } from './catalog.ts'
import { toolStatements } from './statements.ts'

const view = createView({ server_version_num: '150000', application_name: '' })

test.each(toolStatements)('$tool is answered: $text', async ({ text }) => {
  const { columns, rows } = await answer(text, [], view)
  expect(columns.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toHaveLength(columns.length)
})
