/** Names that a model file would have to write on purpose to meet. */
export const helperName = '__model'
export const scopeName = '__names'

/** `with` makes every name that the file doesn't declare itself a question to the sandbox. */
export const prefix = `(function(${scopeName},${helperName}){with(${scopeName}){(function(require){`
export const suffix = '\n}).call(undefined,__model.require)}})'
