/** What an author should know of code in model files. Part of the table in model-warnings.ts. */
export const codeWarnings = {
  python_not_run: ({ what }: { what: string }) =>
    `${what} has no effect, since Python is not run here. Use Jinja macros or a JavaScript model file instead.`,
}
