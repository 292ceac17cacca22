/**
 * What runs around a project's `checkAuth`: a function of the host's `verify` and of what is asked, as JSON, whose value is a function
 * of the project's script. That one promises JSON:
 *
 * - `["context", text]`: the security context, itself as JSON;
 * - `["refused", message]`: it threw;
 * - `["fault", reason]`: it cannot be used.
 *
 * Whatever a script changes of the built-in objects is its own: each call has new ones.
 */
export const checkAuthProgram = `(function (verify, given, limits) {
'use strict'
const { stringify, parse } = JSON
const { apply } = Reflect
const { isArray } = Array
const { slice } = String.prototype
const text = value => apply(slice, value, [0, limits.message])
const { header, token, env, now } = parse(given)

const RealDate = Date
globalThis.Date = class Date extends RealDate {
  constructor(...parts) { if (parts.length === 0) super(now); else super(...parts) }
  static now() { return now }
}
globalThis.console = { log() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {} }
globalThis.process = { env }
globalThis.global = globalThis

class JsonWebTokenError extends Error { get name() { return 'JsonWebTokenError' } }
class TokenExpiredError extends JsonWebTokenError { get name() { return 'TokenExpiredError' } }
class NotBeforeError extends JsonWebTokenError { get name() { return 'NotBeforeError' } }
const kinds = { JsonWebTokenError, TokenExpiredError, NotBeforeError }
const ask = question => {
  const { error, name, value } = parse(verify(stringify(question)))
  if (error === undefined) return value
  throw new (kinds[name] || TypeError)(error)
}
const answer = (work, callback) => {
  if (typeof callback !== 'function') return work()
  let value
  try { value = work() } catch (error) { return void callback(error) }
  callback(null, value)
}
const jsonwebtoken = {
  verify(token, key, options, callback) {
    if (typeof options === 'function') return jsonwebtoken.verify(token, key, {}, options)
    return answer(() => {
      if (typeof token !== 'string') throw new JsonWebTokenError('jwt must be a string')
      if (typeof key !== 'string' || key === '') throw new JsonWebTokenError('secret or public key must be provided')
      return ask({ kind: 'verify', token, key, options: options || {} })
    }, callback)
  },
  decode(token, options) {
    return typeof token === 'string' ? ask({ kind: 'decode', token, complete: Boolean(options && options.complete) }) : null
  },
  sign() { throw new TypeError("checkAuth can't sign tokens") },
  ...kinds,
}
jsonwebtoken.default = jsonwebtoken

/* What is not there may be named, so that a file does what it can; using it is an error. */
const missing = name => new Proxy(function () {}, {
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : missing(name)),
  apply() { throw new TypeError("package '" + name + "' is not there for checkAuth") },
  construct() { throw new TypeError("package '" + name + "' is not there for checkAuth") },
})
const require = name => (name === 'jsonwebtoken' ? jsonwebtoken : missing(String(name)))

const faults = ['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'InternalError', 'EvalError', 'URIError']
function toldOf(error) {
  try {
    const isError = error instanceof Error
    const message = isError ? error.message : error
    if (!isError || !faults.includes(error.name)) return ['refused', typeof message === 'string' ? text(message) : '']
    return ['fault', text('it stopped with ' + error.name + ': ' + message)]
  } catch {
    return ['refused', '']
  }
}

function contextOf(result, req) {
  const isObject = typeof result === 'object' && result !== null
  const context = (isObject ? (result.security_context || result.securityContext) : undefined) || req.securityContext || {}
  if (typeof context !== 'object' || isArray(context)) return ['fault', 'the security context is not an object']
  let written
  try { written = stringify(context) } catch (error) {
    if (error instanceof TypeError) return ['fault', 'the security context cannot be written as JSON: ' + text(error.message)]
    throw error
  }
  if (typeof written !== 'string' || written[0] !== '{') return ['fault', 'the security context is not an object']
  if (written.length > limits.context) return ['fault', 'the security context has more than ' + limits.context + ' characters']
  return ['context', written]
}

return async script => {
  let result
  try {
    const module = { exports: {} }
    apply(script, undefined, [module, module.exports, require])
    const exported = module.exports && module.exports.default && !module.exports.checkAuth ? module.exports.default : module.exports
    const check = exported && exported.checkAuth
    if (typeof check !== 'function') result = ['fault', 'the file exports no function of this name']
    else {
      const headers = { authorization: header }
      const find = name => (String(name).toLowerCase() === 'authorization' ? header : undefined)
      const req = { headers, get: find, header: find, query: {}, securityContext: undefined }
      result = contextOf(await apply(check, exported, [req, token]), req)
    }
  } catch (error) {
    result = toldOf(error)
  }
  return stringify(result)
}
})`
