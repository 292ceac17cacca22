import { expect, test } from 'vitest'
import { compileProject } from '../support/code.ts'

const said = (path: string, content: string) => {
  const { problems, warnings } = compileProject({ [path]: content })
  expect(problems).toEqual([])
  expect(warnings.every(({ code }) => code === 'config_option')).toBe(true)
  return warnings.map(({ line, column, message }) => `${line}:${column} ${/'(\S+)'/.exec(message)?.[1]}`)
}

test.each([
  [
    'options of a map',
    'module.exports = {\n  contextToAppId: ({ securityContext }) => securityContext.tenant,\n  http: {},\n  async queryRewrite(query) { return query },\n}',
    ['2:3 contextToAppId', '3:3 http', '4:3 queryRewrite'],
  ],
  ['options one by one', 'module.exports.jwt = {}\nexports.logger = () => {}', ['1:1 jwt', '2:1 logger']],
  ['a default export', 'export default { telemetry: false }', ['1:18 telemetry']],
  ['what can not be told', 'module.exports = makeConfig()', ['1:18 module.exports']],
  ['what is no JavaScript', 'module.exports = {', ['1:19 cube.js']],
  ['nothing', "// nothing\nconst fs = require('fs')\n", []],
])('cube.js with %s', (_, content, expected) => {
  expect(said('cube.js', content)).toEqual(expected)
})

test('checkAuth of a cube.js is kept with the model, and only what it cannot use is told', () => {
  const content =
    "const jwt = require('jsonwebtoken')\nconst fs = require('fs')\nmodule.exports = {\n  checkAuth: (req, auth) => {},\n  http: {},\n}\n"
  const { model, problems, warnings } = compileProject({ 'cube.js': content })
  expect(problems).toEqual([])
  expect(model?.checkAuth).toEqual({ file: 'cube.js', script: content })
  expect(warnings.map(({ line, code }) => `${line} ${code}`)).toEqual(['2 check_auth_package', '5 config_option'])
  expect(compileProject({ 'cube.js': 'module.exports = { http: {} }' }).model).not.toHaveProperty('checkAuth')
})

test.each([
  ['cannot be read', 'module.exports = { checkAuth: ', 'js_syntax'],
  ['is exported by its name', 'export const checkAuth = () => {}', 'check_auth_export'],
])('a checkAuth that %s is a problem: nobody is let in by other rules than were written', (_, content, code) => {
  const { model, problems } = compileProject({ 'cube.js': content })
  expect(model).toBeNull()
  expect(problems.map(problem => problem.code)).toEqual([code])
})

test('cube.py', () => {
  const content =
    "from cube import config\n\n# config.jwt = {}\nconfig.base_path = '/api'\n\n@config('query_rewrite')\ndef query_rewrite(query, ctx):\n    return query\n"
  expect(said('cube.py', content)).toEqual(['4:1 base_path', '6:1 query_rewrite'])
})

test('each option says what to do instead', () => {
  const { warnings } = compileProject({ 'cube.py': 'config.context_to_groups = None\nconfig.unheard_of = 1\n' })
  expect(warnings.map(({ message }) => message)).toEqual([
    "'context_to_groups' of the configuration file has no effect here. Groups come from the one who asks. Who may ask is set in the deployment: API keys, tokens and embedding.",
    "'unheard_of' of the configuration file has no effect here. Remove it.",
  ])
})
