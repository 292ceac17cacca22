/**
 * What runs inside the sandbox before any model file: the functions that model files call, the names that stand for members, and
 * the writing of what was defined. It sees nothing outside but `load`, which gives the program of another model file.
 *
 * A name that nothing else defines stands for a cube or a member. Put into text it becomes \uE000name\uE001, which
 * `read-definitions.ts` makes `{name}`, so that SQL from JavaScript and from YAML is the same to all that follows. The
 * expression between the two is Python, as it is in YAML.
 */
export const sandboxProgram = String.raw`(function (load, limits) {
'use strict'
const { apply, ownKeys, getPrototypeOf } = Reflect
const { stringify } = JSON
const { isArray } = Array
const functionText = Function.prototype.toString
const { test, exec } = RegExp.prototype
const objectPrototype = Object.prototype
const replaceText = String.prototype.replace
const references = new WeakMap()
const places = new WeakMap()
const placeGet = places.get.bind(places)
const placeSet = places.set.bind(places)
const referenceOf = references.get.bind(references)
const keepReference = references.set.bind(references)

class Refusal extends Error {}
const refuse = (code, name) => { throw new Refusal('\uE002' + code + '\uE002' + name) }

const open = '\uE000'
const close = '\uE001'
const quoted = text => "'" + apply(replaceText, text, [/[\\'{}]/g, '\\$&']) + "'"
const isObject = value => (typeof value === 'object' && value !== null) || typeof value === 'function'
/* A call of what is no function here is an expression of SQL, and one that ends up nowhere is a mistake. */
const unused = new Map()
const textOf = value => (isObject(value) ? referenceOf(value) : undefined)

function expressionOf(value) {
  const reference = textOf(value)
  if (reference !== undefined) {
    unused.delete(reference)
    return reference
  }
  if (typeof value === 'function') {
    const names = parametersOf(value)
    const parameters = []
    for (let i = 0; i < names.length; i++) parameters[i] = reference_('value' + i)
    const result = apply(value, undefined, parameters)
    if (textOf(result) === undefined && typeof result !== 'string') refuse('js_value', describe(result))
    let list = ''
    for (let i = 0; i < names.length; i++) list += (i ? ', ' : '') + 'value' + i
    return 'lambda ' + list + ': ' + expressionOf(result)
  }
  if (typeof value !== 'string') refuse('js_argument', describe(value))
  if (!apply(test, /\uE000/, [value])) return quoted(value)
  const pattern = /\uE000([^\uE001]*)\uE001/g
  let result = "f'"
  let at = 0
  for (let found = apply(exec, pattern, [value]); found; found = apply(exec, pattern, [value])) {
    result += inFormat(value.slice(at, found.index)) + '{' + found[1] + '}'
    at = pattern.lastIndex
  }
  return result + inFormat(value.slice(at)) + "'"
}
const inFormat = text => { const inner = quoted(text); return inner.slice(1, inner.length - 1) }

function reference_(expression) {
  const used = () => refuse('js_reference', expression)
  const proxy = new Proxy(() => undefined, {
    get(_, key) {
      unused.delete(expression)
      if (key === Symbol.toPrimitive) return hint => (hint === 'number' ? used() : open + expression + close)
      if (key === 'toString' || key === 'valueOf') return () => open + expression + close
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
      return reference_(expression + '.' + key)
    },
    apply(_, __, values) {
      if (apply(test, /^\w+$/, [expression]) && expression !== 'FILTER_GROUP') refuse('js_call', expression)
      let list = ''
      for (let i = 0; i < values.length; i++) list += (i ? ', ' : '') + expressionOf(values[i])
      const call = expression + '(' + list + ')'
      unused.set(call, new Refusal('\uE002js_call\uE002' + expression))
      return reference_(call)
    },
    has: used, set: used, deleteProperty: used, defineProperty: used, ownKeys: used, construct: used,
    getOwnPropertyDescriptor: used, getPrototypeOf: used, setPrototypeOf: used,
  })
  keepReference(proxy, expression)
  return proxy
}

function parametersOf(fn) {
  const source = apply(functionText, fn, [])
  const head = apply(exec, /^(?:async\s+)?(?:([\w$]+)\s*=>|(?:function\b\s*\*?)?\s*[\w$]*\s*\(([^)]*)\))/, [source])
  const list = head ? (head[1] === undefined ? head[2] : head[1]) : '?'
  const names = []
  if (list.trim() === '') return names
  const written = list.split(',')
  for (let i = 0; i < written.length; i++) {
    const name = written[i].trim()
    if (name === '' && i === written.length - 1) break
    if (!apply(test, /^[A-Za-z_$][\w$]*$/, [name])) refuse('js_parameter', name.slice(0, 60))
    names[names.length] = name
  }
  return names
}

const describe = value => {
  if (value === null) return 'null'
  if (typeof value === 'object') {
    try { return 'an object of class ' + (value.constructor && value.constructor.name || '?').slice(0, 60) } catch { return 'an object' }
  }
  if (typeof value === 'function') return 'a function'
  return typeof value === 'string' ? 'text' : typeof value === 'symbol' ? 'a symbol' : String(value)
}

const random = () => refuse('js_unavailable', 'Math.random')
Object.defineProperty(Math, 'random', { value: random })
for (const fn of [function () {}, async function () {}, function* () {}, async function* () {}]) {
  Object.defineProperty(getPrototypeOf(fn), 'constructor', { value: function Function() { refuse('js_unavailable', 'Function') } })
}

/* A method that is one step for the interpreter and many for the machine counts as many. */
let budget = limits.native
const charge = amount => {
  budget -= amount
  if (budget < 0) throw new Refusal('\uE002js_endless\uE002')
}
const lengthOf = value => (value === null || value === undefined ? 0 : Number(value.length) || 0)
const guard = (prototype, names, cost) => {
  for (const name of names) {
    const original = prototype[name]
    if (typeof original !== 'function') continue
    const guarded = { [name](...values) { charge(cost(this, values)); return apply(original, this, values) } }[name]
    Object.defineProperty(prototype, name, { value: guarded, writable: true, configurable: true })
  }
}
guard(Array.prototype, ['indexOf', 'lastIndexOf', 'includes', 'fill', 'reverse', 'copyWithin', 'join', 'slice', 'splice', 'concat',
  'flat', 'shift', 'unshift', 'toReversed', 'toSpliced', 'with', 'forEach', 'map', 'filter', 'reduce', 'reduceRight', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap', 'toString'], array => lengthOf(array))
guard(Array.prototype, ['sort', 'toSorted'], array => 20 * lengthOf(array))
guard(String.prototype, ['indexOf', 'lastIndexOf', 'includes', 'split', 'replaceAll', 'replace'],
  (text, values) => { const size = lengthOf(text); const other = typeof values[0] === 'string' ? values[0].length : 1; return size + (other > 64 ? size * (other / 8) : 0) })
guard(String.prototype, ['repeat', 'padStart', 'padEnd'], (text, values) => lengthOf(text) + (Number(values[0]) || 0))
guard(String.prototype, ['toUpperCase', 'toLowerCase', 'trim', 'slice', 'substring', 'concat', 'localeCompare', 'normalize', 'at'], text => lengthOf(text) / 16)
guard(Object, ['keys', 'values', 'entries', 'assign', 'fromEntries', 'freeze'], (_, values) => 10 + lengthOf(values[0]))
/* Each look at a property walks the whole chain of prototypes. */
const link = 10000
guard(Object, ['create', 'setPrototypeOf'], (_, values) => (values[0] === null ? 1 : link))
guard(Reflect, ['setPrototypeOf', 'construct'], () => link)
guard(Array, ['from'], (_, values) => lengthOf(values[0]))
Object.defineProperty(objectPrototype, '__proto__', { get() { return getPrototypeOf(this) }, set() { refuse('js_unavailable', '__proto__') }, configurable: false })

const known = Object.create(null)
for (const name of limits.globals) known[name] = globalThis[name]
known.console = Object.freeze({ log() {}, info() {}, warn() {}, error() {}, debug() {} })
const unavailable = Object.create(null)
for (const name of limits.unavailable) unavailable[name] = true

const definitions = []
const asyncModules = []
let importing = 0

const define = kind => (name, definition) => {
  if (typeof name !== 'string' || name === '' || !isObject(definition) || typeof definition === 'function' || isArray(definition)) refuse('js_definition', kind)
  if (importing === 0) definitions[definitions.length] = { kind, name, definition }
  return reference_(name)
}
known.cube = define('cube')
known.view = define('view')
known.view_group = define('view_group')
known.asyncModule = fn => {
  if (typeof fn !== 'function') refuse('js_definition', 'asyncModule')
  if (importing === 0) asyncModules[asyncModules.length] = fn
}

const scope = new Proxy(Object.create(null), {
  has: (_, name) => typeof name === 'string' && name !== '__model' && name !== '__names',
  get(_, name) {
    if (typeof name !== 'string') return undefined
    if (name in known) return known[name]
    if (name === 'COMPILE_CONTEXT') refuse('compile_context', '')
    if (name in unavailable) refuse('js_unavailable', name)
    return reference_(name)
  },
  set: (_, name) => refuse('js_undeclared', String(name)),
})

const helpers = {
  at(id, value) { placeSet(value, id); return value },
  plain(value) {
    const expression = textOf(value)
    if (expression !== undefined) refuse('js_reference', expression)
    return value
  },
  base(value) { charge(link); return value },
  later: text => open + text + close,
}

const modules = Object.create(null)
function run(path, program) {
  const module = { named: Object.create(null), isDone: false }
  modules[path] = module
  const require_ = specifier => {
    if (typeof specifier !== 'string') refuse('js_import', describe(specifier))
    const found = load(path, specifier)
    if (typeof found === 'string') {
      if (found[0] === '\uE002') throw new Refusal(found)
      return modules[found]
    }
    importing += 1
    try { return run(found.path, found.program) } finally { importing -= 1 }
  }
  const whole = module => ('standard' in module ? module.standard : module.named)
  program(scope, {
    ...helpers,
    require: specifier => whole(require_(specifier)),
    all: specifier => require_(specifier).named,
    import(specifier, name) {
      const module = require_(specifier)
      if (name === 'default') return whole(module)
      if (name in module.named) return module.named[name]
      if (!module.isDone) refuse('js_import_circle', specifier)
      if ('standard' in module && isObject(module.standard) && name in module.standard) return module.standard[name]
      refuse('js_import_name', specifier + '\uE002' + name)
    },
    export(name, value) { if (name === 'default') module.standard = value; else module.named[name] = value },
    exportAll(values) { for (const name of ownKeys(values)) if (name !== 'default') module.named[name] = values[name] },
  })
  module.isDone = true
  return module
}

let count = 0
let current = -1


function write(value, depth) {
  count += 1
  if (count > limits.values || depth > limits.depth) refuse('js_too_large', '')
  const expression = textOf(value)
  if (expression !== undefined) {
    unused.delete(expression)
    return '["r",' + stringify(expression) + ']'
  }
  if (value === null || typeof value === 'boolean') return stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return '["n",' + stringify(value) + ']'
  if (typeof value === 'string') return stringify(value)
  if (!isObject(value)) refuse('js_value', describe(value))
  if (typeof value === 'function') {
    const names = parametersOf(value)
    const parameters = []
    for (let i = 0; i < names.length; i++) parameters[i] = names[i] in known ? known[names[i]] : reference_(names[i])
    return write(apply(value, undefined, parameters), depth + 1)
  }
  const place = placeGet(value)
  const id = place === undefined ? -1 : place
  const before = current
  if (id !== -1) current = id
  let result
  if (isArray(value)) {
    result = '["l",' + id
    for (let i = 0; i < value.length; i++) result += ',' + write(value[i] === undefined ? null : value[i], depth + 1)
  } else {
    const prototype = getPrototypeOf(value)
    if (prototype !== objectPrototype && prototype !== null) refuse('js_value', describe(value))
    result = '["m",' + id
    const keys = ownKeys(value)
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]
      if (typeof key !== 'string' || value[key] === undefined) continue
      result += ',[' + stringify(key) + ',' + write(value[key], depth + 1) + ']'
    }
  }
  current = before
  return result + ']'
}

return {
  run,
  settle: () => (async () => { for (let i = 0; i < asyncModules.length; i++) await asyncModules[i]() })(),
  write() {
    let result = '['
    for (let i = 0; i < definitions.length; i++) {
      const { kind, name, definition } = definitions[i]
      result += (i ? ',' : '') + '[' + stringify(kind) + ',' + stringify(name) + ',' + write(definition, 0) + ']'
    }
    for (const [, refusal] of unused) throw refusal
    return result + ']'
  },
  where: () => current,
}
})`
