/** What an author should know of code in model files. Part of the table in model-warnings.ts. */
export const codeWarnings = {
  config_option: ({ name, instead }: { name: string; instead: string }) =>
    `'${name}' of the configuration file has no effect here. ${instead}`,
  python_not_run: ({ what }: { what: string }) =>
    `${what} has no effect, since Python is not run here. Use Jinja macros or a JavaScript model file instead.`,
}
