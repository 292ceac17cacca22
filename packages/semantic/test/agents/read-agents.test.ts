import { describe, expect, test } from 'vitest'
import { checkAgents, compileModel, readAgents } from '../../src/index.ts'
import { agentMessages, agentWarnings } from '../../src/messages/agent-messages.ts'

type Files = Readonly<Record<string, string>>

const read = (files: Files, directory = 'agents') =>
  readAgents(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    directory,
  )

/** What is said of files: `file:line:column code`. */
const places = (list: readonly { file: string; line: number; column: number; code: string }[]) =>
  list.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
const problems = (files: Files) => places(read(files).problems)
const warnings = (files: Files) => places(read(files).warnings)

const rule = '---\ntype: always\n---\nSay it shortly.\n'

describe('agents of a project (contract/behaviour/chat.md section 7)', () => {
  test('without files there is the agent auto in the space auto', () => {
    const { config } = read({})
    expect(config).toMatchObject({
      agents: [
        { name: 'auto', space: 'auto', llm: 'auto', runtime: 'plain', memoryMode: 'space', accessibleViews: null },
      ],
      spaces: [{ name: 'auto', rules: [], certifiedQueries: [], skills: [] }],
      questions: [],
    })
  })

  test('settings at the root of files are of the agent auto; files are put together', () => {
    const { config, problems } = read({
      'agents/config.yml':
        'title: Ask us\nllm: claude_4_5_sonnet\naccessible_views: [orders_view]\nrules:\n- type: always\n  prompt: Be brief.\n',
      'agents/more.yaml':
        'memory_mode: user\nruntime: reasoning\nllm:\n\ncertified_queries:\n- name: revenue\n  user_request: What is revenue?\n  sql_query: SELECT 1\n',
      'agents/rules/refunds.md':
        '---\ntype: agent_requested\ndescription: About refunds\n---\nRefunds are {not} revenue.\n',
    })
    expect(problems).toEqual([])
    expect(config?.agents).toMatchObject([
      { name: 'auto', title: 'Ask us', llm: 'claude_4_5_sonnet', runtime: 'reasoning', memoryMode: 'user' },
    ])
    expect(config?.agents[0]?.accessibleViews?.map(({ value }) => value)).toEqual(['orders_view'])
    expect(config?.spaces[0]?.rules).toEqual([
      { name: 'rule_1', type: 'always', description: null, prompt: 'Be brief.' },
      { name: 'refunds', type: 'agent_requested', description: 'About refunds', prompt: 'Refunds are {not} revenue.' },
    ])
    expect(config?.spaces[0]?.certifiedQueries).toEqual([
      { name: 'revenue', userRequest: 'What is revenue?', sqlQuery: 'SELECT 1', description: null },
    ])
  })

  test('files with one item: kind by folder, by kind and by keys, name by file', () => {
    const { config, problems } = read({
      'agents/certified_queries/by_city.md':
        '---\nuser_request: Orders by city\n---\n```sql\nSELECT city\nFROM orders\n```\n',
      'agents/certified-queries/total.markdown': '---\nuser_request: All\nsql_query: SELECT 2\n---\n',
      'agents/queries/named.md': '---\nname: other\nuser_request: x\n---\nSELECT 3',
      'agents/loose/anything.md': '---\nkind: skill\ntitle: Report\ndescription: Writes one\n---\nDo this.',
      'agents/loose/told.md': '---\nprompt: Never guess.\ntype: always\n---\n',
      'agents/loose/asked.md': '---\nuserRequest: y\n---\nSELECT 4',
      'agents/skills/deep/er/weekly.md': '---\ntitle: Weekly\ndescription: The week\ninstructions: Look.\n---\n',
    })
    expect(problems).toEqual([])
    const [auto] = config?.spaces ?? []
    expect(auto?.certifiedQueries.map(({ name, sqlQuery }) => [name, sqlQuery])).toEqual([
      ['total', 'SELECT 2'],
      ['by_city', 'SELECT city\nFROM orders'],
      ['asked', 'SELECT 4'],
      ['other', 'SELECT 3'],
    ])
    expect(auto?.rules).toEqual([{ name: 'told', type: 'always', description: null, prompt: 'Never guess.' }])
    expect(auto?.skills.map(({ name, instructions }) => [name, instructions])).toEqual([
      ['anything', 'Do this.'],
      ['weekly', 'Look.'],
    ])
  })

  test('several agents: spaces own rules, certified queries and skills; folders and front matter choose the space', () => {
    const { config, problems, warnings } = read({
      'agents/config.yml':
        'spaces:\n- name: sales\n  title: Sales\n  rules:\n  - { name: one, type: always, prompt: x }\nagents:\n- name: seller\n  space: sales\n  llm: { byom: { name: ours } }\n- { name: second, space: sales, embedding_llm: text-embedding-3-small }\n',
      'agents/sales/rules/two.md': rule,
      'agents/rules/sales/three.md': rule,
      'agents/rules/four.md': '---\ntype: always\nspace: sales\n---\nx',
      'agents/rules/five.md': rule,
      'agents/eval_questions.yml': 'eval_questions:\n- { name: q, question: What?, sql: SELECT 1 }\n',
      'agents/eval_questions/sales.yml':
        'space: sales\neval_questions:\n- { name: q, question: What?, certifiedQuery: total }\n',
    })
    expect(problems).toEqual([])
    expect(places(warnings)).toEqual(['agents/config.yml:10:33 no_effect'])
    expect(config?.agents.map(({ name, space, llm }) => [name, space, llm])).toEqual([
      ['auto', 'auto', 'auto'],
      ['seller', 'sales', { byom: 'ours' }],
      ['second', 'sales', 'auto'],
    ])
    expect(config?.spaces.map(({ name, rules }) => [name, rules.map(each => each.name)])).toEqual([
      ['auto', ['five']],
      ['sales', ['one', 'four', 'three', 'two']],
    ])
    expect(config?.questions.map(({ name, space, truth, at }) => [name, space, truth, at.file])).toEqual([
      ['q', 'auto', { sql: 'SELECT 1' }, 'agents/eval_questions.yml'],
      ['q', 'sales', { certifiedQuery: 'total' }, 'agents/eval_questions/sales.yml'],
    ])
  })

  test('auto can be described like every other agent', () => {
    const { config } = read({ 'agents/a.yml': 'agents:\n- { name: auto, space: auto, title: Ours }\n' })
    expect(config?.agents).toMatchObject([{ name: 'auto', title: 'Ours' }])
  })

  test('the folder can have another name', () => {
    const { config } = read({ 'ai/team/rules/x.md': rule }, 'ai/team')
    expect(config?.spaces[0]?.rules).toHaveLength(1)
  })
})

const broken: Readonly<Record<keyof typeof agentMessages, readonly [Files, string]>> = {
  agents_kind: [{ 'agents/README.md': '# Agents\n' }, 'agents/README.md:1:1'],
  agents_front_matter: [{ 'agents/rules/x.md': '---\ntype: always\nBe brief.\n' }, 'agents/rules/x.md:1:1'],
  agents_mixed: [{ 'agents/a.yml': 'agents: []\ntitle: x\n' }, 'agents/a.yml:2:1'],
  agents_twice: [
    { 'agents/a.yml': 'spaces: [{ name: s }]\n', 'agents/b.yml': 'spaces:\n  - name: s\n' },
    'agents/b.yml:2:11',
  ],
  agents_set_twice: [{ 'agents/a.yml': 'title: x\n', 'agents/b.yml': 'llm: auto\ntitle: y\n' }, 'agents/b.yml:2:8'],
  agents_space: [{ 'agents/a.yml': 'agents:\n- name: x\n  space: sales\n' }, 'agents/a.yml:3:10'],
  agents_folders: [
    { 'agents/a.yml': 'spaces: [{ name: s }, { name: t }]', 'agents/s/t/rules/x.md': rule },
    'agents/s/t/rules/x.md:1:1',
  ],
  agents_in_space: [
    { 'agents/a.yml': 'spaces: [{ name: s }]', 'agents/s/b.yml': 'rules: []\nllm: auto\n' },
    'agents/s/b.yml:2:6',
  ],
  agents_content: [{ 'agents/rules/x.md': '---\ntype: always\n---\n\n' }, 'agents/rules/x.md:2:1'],
  agents_rule_description: [{ 'agents/rules/x.md': '---\ntype: agent_requested\n---\nx' }, 'agents/rules/x.md:2:1'],
  agents_truth: [
    { 'agents/eval_questions.yml': 'eval_questions:\n- name: q\n  question: w\n  sql: x\n  certifiedQuery: y\n' },
    'agents/eval_questions.yml:2:9',
  ],
  agents_byom: [{ 'agents/a.yml': 'llm:\n  byom: {}\n' }, 'agents/a.yml:2:9'],
  agents_too_large: [{ 'agents/a.yml': `title: ${'x'.repeat(1024 * 1024)}` }, 'agents:1:1'],
}

test.each(Object.entries(broken))('%s, at its place', (code, [files, at]) => {
  expect(read(files).config).toBeNull()
  expect(problems(files)).toEqual([`${at} ${code}`])
})

test.each([
  ['an unknown key', { 'agents/a.yml': 'titel: x\n' }, 'agents/a.yml:1:1 unknown_key'],
  [
    'an unknown key of a rule',
    { 'agents/rules/x.md': '---\ntype: always\nprio: 1\n---\nx' },
    'agents/rules/x.md:3:1 unknown_key',
  ],
  [
    'a key of files alone, in a list',
    { 'agents/a.yml': 'rules:\n- { type: always, prompt: x, space: auto }\n' },
    'agents/a.yml:2:30 unknown_key',
  ],
  ['an unknown model', { 'agents/a.yml': 'llm: claude_45_opus\n' }, 'agents/a.yml:1:6 value_not_allowed'],
  [
    'an unknown type of rule',
    { 'agents/rules/x.md': '---\ntype: allways\n---\nx' },
    'agents/rules/x.md:2:7 value_not_allowed',
  ],
  ['an unknown memory mode', { 'agents/a.yml': 'memory_mode: yes\n' }, 'agents/a.yml:1:14 value_not_allowed'],
  ['an unknown kind', { 'agents/x.md': '---\nkind: role\n---\nx' }, 'agents/x.md:2:7 value_not_allowed'],
  ['no type', { 'agents/rules/x.md': 'Be brief.' }, 'agents/rules/x.md:1:1 required'],
  ['no user request', { 'agents/queries/x.md': 'SELECT 1' }, 'agents/queries/x.md:1:1 required'],
  ['a list where a map should be', { 'agents/a.yml': '- x\n' }, 'agents/a.yml:1:1 wrong_type'],
  ['front matter that is no map', { 'agents/rules/a.md': '---\n- x\n---\ny' }, 'agents/rules/a.md:2:1 wrong_type'],
  ['broken YAML', { 'agents/a.yml': 'title: [\n' }, 'agents/a.yml:2:1 yaml_syntax'],
  ['broken front matter', { 'agents/rules/a.md': '---\ntitle: "x\n---\ny' }, 'agents/rules/a.md:2:10 yaml_syntax'],
  [
    'two skills of one name',
    {
      'agents/skills/a/x.md': '---\ntitle: t\ndescription: d\n---\nx',
      'agents/skills/b/x.md': '---\ntitle: t\ndescription: d\n---\nx',
    },
    'agents/skills/b/x.md:2:1 agents_twice',
  ],
  ['no questions in their file', { 'agents/q.yml': 'eval_questions:\nspace: auto\n' }, 'agents/q.yml:1:1 required'],
])('%s is refused', (_, files: Files, expected) => {
  expect(problems(files)[0]).toBe(expected)
})

test('every problem and warning of agents is proved here', () => {
  expect(Object.keys(broken)).toEqual(Object.keys(agentMessages))
  expect(Object.keys(agentWarnings)).toEqual([
    'agents_ignored',
    'agents_body',
    'agents_elsewhere',
    'agents_view',
    'agents_certified',
  ])
})

test('what has no effect is said', () => {
  expect(warnings({ 'agents/notes.txt': 'x' })).toEqual(['agents/notes.txt:1:1 agents_ignored'])
  expect(warnings({ 'agents/rules/x.md': '---\ntype: always\nprompt: a\n---\nb' })).toEqual([
    'agents/rules/x.md:2:1 agents_body',
  ])
  const files = {
    'agents/a.yml': 'spaces: [{ name: s }]',
    'agents/s/rules/x.md': '---\ntype: always\nspace: auto\n---\nb',
  }
  expect(warnings(files)).toEqual(['agents/s/rules/x.md:3:8 agents_elsewhere'])
})

const modelText = `
cubes:
  - name: orders
    sql_table: orders
    measures: [{ name: count, type: count }]
views:
  - name: orders_view
    cubes: [{ join_path: orders, includes: '*' }]
`

test('what agents name is held against the model', () => {
  const { model } = compileModel([{ path: 'model/a.yml', content: modelText }])
  const { config } = read({
    'agents/a.yml': 'accessible_views: [orders_view, order_view]\n',
    'agents/q.yml': 'eval_questions: [{ name: q, question: x, certifiedQuery: y }]\n',
  })
  if (config === null) throw new Error('they are right')
  expect(places(checkAgents(config, model))).toEqual([
    'agents/a.yml:1:33 agents_view',
    'agents/q.yml:1:26 agents_certified',
  ])
})

test('text is never a template: braces, backslashes and Jinja stay as they are', () => {
  const prompt = 'Use {orders.count}, not \\{x\\} or {{ env_var("SECRET") }} or COMPILE_CONTEXT.'
  const { config, problems, warnings } = read({ 'agents/rules/x.md': `---\ntype: always\n---\n${prompt}` })
  expect([problems, warnings]).toEqual([[], []])
  expect(config?.spaces[0]?.rules[0]?.prompt).toBe(prompt)
})
