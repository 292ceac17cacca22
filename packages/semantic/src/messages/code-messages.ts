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
}
