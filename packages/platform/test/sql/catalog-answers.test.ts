import {
  type CatalogSession,
  type CatalogTree,
  createCatalogModel,
  createCatalogView,
  readCommands,
  understandCatalogStatement,
} from '@hedron/sql'
import { afterAll, expect, test } from 'vitest'
import { createCatalogAnswers } from '../../src/sql/catalog/catalog-answers.ts'
import { createCatalogThread } from '../../src/sql/catalog/catalog-thread.ts'

const model = createCatalogModel(
  Array.from({ length: 300 }, (_, table) => ({
    name: `table_${table}`,
    comment: `Table ${table}`,
    columns: Array.from({ length: 40 }, (_, column) => ({
      name: `column_${column}`,
      type: column % 2 === 0 ? 'text' : 'numeric',
      comment: `Column ${column}`,
      isPrimaryKey: column === 0,
    })),
  })),
)
const session: CatalogSession = {
  user: 'cube',
  database: 'shop',
  version: 'PostgreSQL 15.0',
  processId: 7,
  now: Date.UTC(2024, 0, 1),
  setting: () => undefined,
  changeSetting: (_, value) => value,
}
const catalogs = createCatalogAnswers()
afterAll(() => catalogs.close())

async function treeOf(text: string): Promise<CatalogTree> {
  const [statement] = await readCommands(text)
  if (statement?.kind !== 'select') throw new Error('no SELECT')
  return statement.tree
}

async function ask(text: string, { signal = new AbortController().signal, answers = catalogs, deploymentId = 1 } = {}) {
  const question = {
    model,
    tree: await treeOf(text),
    text,
    parameterTypes: [],
    session,
    settings: () => [{ name: 'DateStyle', value: 'ISO, MDY', initial: 'ISO, MDY', description: '' }],
    settingValues: () => new Map([['application_name', 'a test']]),
    deploymentId,
  }
  return answers.understand(question).run([], signal)
}

/** The longest time during which nothing else was served. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const before = performance.now()
      await new Promise(resolve => setImmediate(resolve))
      longest = Math.max(longest, performance.now() - before)
    }
  }
  const watching = watch()
  await work.finally(() => {
    isOver = true
  })
  await watching
  return longest
}

const everyColumn = `SELECT n.nspname, c.relname, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)
  FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE a.attnum > 0 ORDER BY 1, 2, 4`

test.each([
  everyColumn,
  `SELECT table_catalog, table_name, column_name, data_type FROM information_schema.columns ORDER BY 2, ordinal_position`,
  `SELECT current_setting('application_name') || attname FROM pg_attribute ORDER BY 1 LIMIT 3`,
])('a thread of its own gives long statements the same rows: %#', async text => {
  const view = createCatalogView(model, { ...session, setting: () => 'a test' }, () => [])
  const expected = understandCatalogStatement(view, await treeOf(text), []).run([], () => false)
  const found = await ask(text)
  expect(found.length).toBeGreaterThan(2)
  expect(found).toEqual(expected)
})

test('long statements keep nobody else waiting', async () => {
  await ask(everyColumn)
  const work = Promise.all([ask(everyColumn), ask(`${everyColumn} LIMIT 20000`), ask(everyColumn)])
  expect(await longestStall(work)).toBeLessThan(150)
})

test('an error of a long statement is the same error', async () => {
  await expect(
    ask(`SELECT 1 / (attnum - attnum) FROM pg_attribute WHERE attrelid > 0 AND attnum > 0`),
  ).rejects.toMatchObject({ name: 'CatalogError', code: '22012' })
  await expect(ask(`SELECT count(*) FROM pg_attribute a, pg_attribute b`)).rejects.toMatchObject({
    name: 'CatalogError',
    code: expect.stringMatching(/^(57014|54001)$/),
  })
})

test('a long statement changes no setting; a short one does', async () => {
  expect(await ask(`SELECT set_config('x.y', 'z', false)`)).toEqual([['z']])
  await expect(ask(`SELECT set_config('x.y', attname, false) FROM pg_attribute`)).rejects.toMatchObject({
    code: '54001',
  })
})

test('who leaves stops what he asked, and others have their turn', async () => {
  const left = new AbortController()
  const leaving = ask('SELECT count(*) FROM pg_attribute a, pg_attribute b WHERE a.attnum < 3', { signal: left.signal })
  const waiting = ask('SELECT count(*) FROM pg_attribute a', { signal: AbortSignal.timeout(20) })
  const staying = ask('SELECT count(*) FROM information_schema.columns')
  setTimeout(() => left.abort(), 100)
  await Promise.all([leaving, waiting].map(each => expect(each).rejects.toMatchObject({ code: '57014' })))
  expect(await staying).toEqual([['12000']])
})

test('deployments take turns, and only so many statements wait', async () => {
  const answers = createCatalogAnswers(createCatalogThread({ waiting: { total: 3, ofOwner: 2 } }))
  const order: string[] = []
  const asks = ['a', 'a', 'a', 'b', 'a'].map((owner, index) =>
    ask(`SELECT count(*) + ${index} FROM pg_attribute`, { answers, deploymentId: owner === 'a' ? 1 : 2 }).then(
      () => order.push(`${owner}${index}`),
      error => order.push(`${owner}${index} ${error.code}`),
    ),
  )
  await Promise.all(asks)
  expect(order).toEqual(['a4 53400', 'a0', 'a1', 'b3', 'a2'])
  await answers.close()
})

test('an end of the platform ends what waits', async () => {
  const answers = createCatalogAnswers()
  const asking = ask('SELECT count(*) FROM pg_attribute', { answers })
  const ended = expect(asking).rejects.toMatchObject({ code: '57014' })
  await new Promise(resolve => setTimeout(resolve, 5))
  await answers.close()
  await ended
  await expect(ask('SELECT count(*) FROM pg_attribute', { answers })).rejects.toMatchObject({ code: '57P01' })
})
