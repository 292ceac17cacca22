/** For each problem of JavaScript files: a file that has it, and where. */
export const javascriptProblems: Readonly<Record<string, readonly [content: string, place: string]>> = {
  js_syntax: ["cube('a', {\n  sqlTable: ,\n})", '2:13'],
  js_unsupported: ["cube('a', {})\nconst b = import('./b')", '2:11'],
  js_duplicate: ["cube('a', {\n  sqlTable: 'a',\n  sqlTable: 'b',\n})", '3:3'],
  js_threw: ['const names = null\n\nnames.map(name => cube(name, {}))', '3:6'],
  js_endless: ['const next = () => 1\n\nwhile (true) next()', '1:1'],
  js_too_large: ['const all = []\nfor (;;) all.push({ all })', '1:1'],
  js_too_deep: ['const again = () => again()\nagain()', '1:26'],
  js_waits: ['asyncModule(() => new Promise(() => {}))', '1:1'],
  js_unavailable: ["cube('a', {\n  sqlTable: process.env.TABLE,\n})", '2:13'],
  js_undeclared: ["table = 'orders'", '1:1'],
  js_definition: ["cube({ sqlTable: 'a' })", '1:5'],
  js_value: ["cube('a', { sqlTable: 'a', meta: new Map() })", '1:11'],
  js_argument: ["cube('a', { sql: 'SELECT ' + FILTER_PARAMS.a.b.filter(1) })", '1:54'],
  js_parameter: ["cube('a', { sql: ({ table }) => table })", '1:11'],
  js_reference: ["cube('a', {\n  sqlTable: securityContext.tenant === 'one' ? 'one' : 'many',\n})", '2:13'],
  js_call: ["makeCubes(['a', 'b'])", '1:10'],
  js_import_missing: ["import { a } from './missing'", '1:1'],
  js_import_package: ["import moment from 'moment'", '1:1'],
  js_import_restricted: ["const { a } = require('../../secrets')", '1:22'],
  js_import_ambiguous: ["import { a } from './both'", '1:1'],
  js_import_name: ["import { b } from './other'", '1:1'],
}

/** Files beside the one with the problem. */
export const besides = {
  'model/both.js': 'export const a = 1',
  'model/cubes/both.js': 'export const a = 2',
  'model/cubes/other.js': 'export const a = 1',
}
