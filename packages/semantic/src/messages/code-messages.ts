/** What can be wrong with code in model files: Jinja templates, JavaScript and Python. Part of the table in model-messages.ts. */
export const codeMessages = {
  engine_missing: ({ language }: { language: string }) =>
    `This file holds ${language}, and the engine that runs it was not loaded. This is an error of the installation: load it with loadCodeEngines.`,
  compile_context: (_: object) =>
    "COMPILE_CONTEXT can't be used unless contextToAppId is defined. A model is compiled once for everybody here; to answer each " +
    "caller differently use 'access_policy', or SECURITY_CONTEXT in 'sql'.",

  jinja_syntax: ({ reason }: { reason: string }) => `This is not valid Jinja: ${reason}.`,
  jinja_undefined: ({ name }: { name: string }) =>
    `'${name}' is not defined. A template has what it sets or imports itself; write \`is defined\` or \`default\` where a name may be absent.`,
  jinja_unknown: ({ name }: { name: string }) =>
    name === 'env_var'
      ? "'env_var' does not exist: templates have no environment. Set the value in the template, with {% set %}."
      : `'${name}' is not a function, filter or test of Jinja, and no imported macro has this name.`,
  jinja_template_missing: ({ name }: { name: string }) =>
    `There is no file 'model/${name}'. Paths of templates start below 'model/', as in {% import "macros.jinja" as macros %}.`,
  jinja_endless: ({ reason }: { reason: string }) =>
    `This template does not come to an end within a million steps (${reason}). Look for a loop or a macro that repeats itself.`,
  jinja_too_large: (_: object) =>
    'This template makes more text than a model file may hold (4 MB), or needs more memory than it may use (32 MB). Split it into several files.',
  jinja_failed: ({ reason }: { reason: string }) => `This template can't be rendered: ${reason}.`,
  python_name: ({ name, file, line }: { name: string; file: string; line: number }) =>
    `'${name}' comes from ${file}:${line}, and Python is not run here. Set the value in the template with {% set %}, or write a macro or a JavaScript model file instead.`,

  check_auth_export: (_: object) =>
    "'checkAuth' can't be found in this file. Export it with `module.exports = { checkAuth }` or `export default { checkAuth }`.",

  js_syntax: ({ reason }: { reason: string }) => `This is not valid JavaScript: ${reason}`,
  js_unsupported: ({ syntax }: { syntax: string }) =>
    `'${syntax}' is not supported in model files. Use \`import { name } from './file'\` and \`export const name\`.`,
  js_duplicate: ({ key }: { key: string }) =>
    `Duplicate property parsing ${key}. Only the last would count; remove the others.`,
  js_threw: ({ reason }: { reason: string }) => `This code stopped with an error: ${reason}`,
  js_endless: (_: object) =>
    'This code does not come to an end within five million steps. Look for a loop that does not end, or a regular expression that repeats what repeats.',
  js_too_large: (_: object) =>
    'This code needs more memory than it may use (24 MB), or defines more than a model file may hold. Split it into several files.',
  js_too_deep: (_: object) =>
    'This code is nested, or calls itself, too deeply. Look for a function that calls itself without end.',
  js_engine_restarts: (_: object) =>
    'This file was not read, since the engine starts again after another file brought it down. Repair that file, or compile once more.',
  js_waits: (_: object) =>
    'asyncModule waits for something that never happens: model files reach no network, disk or timer. Write the values into a file of the model.',
  js_unavailable: ({ name, instead }: { name: string; instead: string }) =>
    `'${name}' does not exist in model files. ${instead}`,
  js_undeclared: ({ name }: { name: string }) =>
    `'${name}' is assigned and was never declared. Write \`const ${name} = …\`.`,
  js_definition: ({ call }: { call: string }) =>
    call === 'asyncModule'
      ? 'asyncModule takes a function: asyncModule(async () => { … }).'
      : `${call} takes a name and a definition: ${call}('name', { … }).`,
  js_value: ({ what }: { what: string }) =>
    `A definition can't hold ${what}. It holds text, numbers, true, false, null, references, functions that return these, and lists and maps of them.`,
  js_argument: ({ what }: { what: string }) =>
    `A reference is called here with ${what}. Give it text, another reference, or a function that returns text.`,
  js_parameter: ({ parameter }: { parameter: string }) =>
    `'${parameter}' can't be a parameter of a function in a definition. Parameters are names of cubes or of values: (CUBE, orders) => ….`,
  js_reference: ({ name }: { name: string }) =>
    `'${name}' is neither declared here nor imported, so it stands for a member, a cube or the caller's context. Those have no value while the model compiles: they can only stand in SQL, such as \`\${${name}}\`, or where a definition names members.`,
  js_call: ({ name }: { name: string }) =>
    `'${name}' is called here, and is no function of this file: it is neither declared nor imported. Import it, or remove the call.`,
  js_import_missing: ({ path }: { path: string }) =>
    `Required import for ${path} is not found. Paths start with './' and lead to .js files below 'model/'.`,
  js_import_package: ({ path }: { path: string }) =>
    `Package '${path}' not found: model files can't load packages. Import files of the model, as in './${path}'.`,
  js_import_restricted: ({ path }: { path: string }) =>
    `'${path}' restricted: only files below 'model/' can be imported, by paths such as './shared'.`,
  js_import_ambiguous: ({ path }: { path: string }) =>
    `This path means two files: ${path}. Paths start at the importing file, or at 'model/'. Rename one of the two.`,
  js_import_circle: ({ path }: { path: string }) =>
    `'${path}' is being read when this file imports it, since the two import each other. Move what both need to a third file.`,
  js_import_name: ({ path, name }: { path: string; name: string }) => `'${path}' exports no '${name}'.`,
}
