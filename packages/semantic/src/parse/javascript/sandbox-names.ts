/** What model files have of JavaScript's own names. */
export const globals = [
  'Array',
  'Boolean',
  'Error',
  'Infinity',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'WeakMap',
  'WeakSet',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
] as const

const clock =
  'A model is the same whenever it is compiled. Use the functions of the database in SQL, such as CURRENT_DATE.'
const outside =
  'Model files reach nothing outside the model. Write the values into a file of the model, from a script of your own.'
const modules = 'Write `export` and `import`.'

/** Names that stand for something elsewhere, and what to do instead. Any other name stands for a cube or a member. */
const instead: Readonly<Record<string, string>> = {
  ArrayBuffer: outside,
  Atomics: outside,
  BigInt: 'Use numbers.',
  Buffer: outside,
  Date: clock,
  Function: 'Write functions out.',
  'Math.random': 'A model is the same whenever it is compiled.',
  USER_CONTEXT: 'Support for USER_CONTEXT was removed, please migrate to SECURITY_CONTEXT.',
  Uint8Array: outside,
  WebAssembly: outside,
  XMLHttpRequest: outside,
  __dirname: outside,
  __filename: outside,
  __proto__: 'Use Object.assign or the spread of objects.',
  clearTimeout: outside,
  context: "'context' was removed from the language. Use views.",
  crypto: outside,
  eval: 'Write code out.',
  exports: modules,
  fetch: outside,
  global: 'Declare a constant and export it.',
  globalThis: 'Declare a constant and export it.',
  module: modules,
  performance: clock,
  process: outside,
  queueMicrotask: outside,
  self: 'Declare a constant and export it.',
  setImmediate: outside,
  setInterval: outside,
  setTimeout: outside,
  window: 'Declare a constant and export it.',
}

export const unavailableNames: readonly string[] = Object.keys(instead)
export const insteadOf = (name: string): string => instead[name] ?? outside
