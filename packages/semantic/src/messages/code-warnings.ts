/** What an author should know of code in model files. Part of the table in model-warnings.ts. */
export const codeWarnings = {
  config_option: ({ name, instead }: { name: string; instead: string }) =>
    `'${name}' of the configuration file has no effect here. ${instead}`,
  check_auth_package: ({ name }: { name: string }) =>
    `Package '${name}' is not there for 'checkAuth': using it refuses every token. 'jsonwebtoken' is there; keys of an identity provider are read with CUBEJS_JWK_URL, without 'checkAuth'.`,
  python_not_run: ({ what }: { what: string }) =>
    `${what} has no effect, since Python is not run here. Use Jinja macros or a JavaScript model file instead.`,
}
