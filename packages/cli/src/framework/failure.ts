/** Every failure that the client itself can report: one code, one sentence that names the value and says what to do. */
const table = {
  usage: (d: { message: string }) => d.message,
  interrupted: () => 'interrupted',

  not_logged_in: () =>
    'not logged in: run `hedron login`, or set HEDRON_API_URL and HEDRON_API_KEY (or pass --api-url/--token)',
  context_not_found: (d: { name: string }) =>
    `context \`${d.name}\` not found in config (run \`hedron login --name ${d.name}\`)`,
  api_url_empty: () => 'API URL is empty: pass the address of the server, for example http://localhost:4000',
  login_url_missing: () =>
    'no server given: run `hedron login --url <url> --api-key <key>`, for example with --url http://localhost:4000',
  login_key_empty: () => '--api-key is empty: pass the key, or `-` to read it from the standard input',
  login_key_refused: (d: { url: string; reason: string }) =>
    `unauthorized (401): ${d.url} refused the key${d.reason === '' ? '' : `: ${d.reason}`}`,
  device_login_unavailable: (d: { url: string }) =>
    `${d.url} cannot be logged in to through the browser: make an API key and run \`hedron login --url <url> --api-key <key>\``,
  device_start_failed: (d: { endpoint: string; status: number; body: string }) =>
    `device authorization request failed (${d.status}) at ${d.endpoint}: ${d.body}`,
  login_expired: () => 'device code expired before it was authorized; run `hedron login` again',
  login_denied: () => 'authorization was denied in the browser',
  login_refused: (d: { reason: string }) => `authorization failed: ${d.reason}`,
  config_unreadable: (d: { path: string }) => `failed to read ${d.path}`,
  config_invalid: (d: { path: string; reason: string }) => `failed to parse ${d.path}: ${d.reason}`,
  config_unwritable: (d: { path: string }) => `failed to save ${d.path}`,
  config_locked: (d: { path: string }) =>
    `another run of hedron holds ${d.path}: try again, or remove that file if no other run is active`,

  transport_failed: (d: { url: string; reason: string }) => `request to ${d.url} failed: ${d.reason}`,
  wait_timed_out: (d: { message: string }) => d.message,
  unexpected_answer: (d: { message: string }) => d.message,
  answer_unreadable: (d: { request: string }) =>
    `the answer to ${d.request} does not have the form that this version reads; the server may be of another version (\`hedron update --check\`)`,

  file_unwritable: (d: { path: string }) => `failed to write ${d.path}`,
  file_unreadable: (d: { path: string }) => `failed to read ${d.path}`,
  data_invalid: (d: { option: string; reason: string }) => `${d.option} ${d.reason}`,
  paging_mixed: () => '--offset/--limit are deprecated and cannot be combined with --first/--after',
  value_missing: () => 'provide --value <value>, or --clear to take the value away',
  attribute_not_found: (d: { name: string }) =>
    `there is no user attribute '${d.name}' — see \`hedron attributes list\``,
  page_mixed: () => '--limit/--page are deprecated and cannot be combined with --first/--after',
  confirmation_needed: (d: { action: string }) =>
    `refusing to ${d.action} without a terminal to confirm on: pass --yes`,
  not_confirmed: (d: { action: string }) => `did not ${d.action}: it was not confirmed`,
  operation_not_found: (d: { pattern: string }) =>
    `no operation matches '${d.pattern}' — run 'hedron spec' to list them all`,

  branch_empty: () => '--branch cannot be empty when used with --wait',
  branch_not_building: (d: { message: string }) => d.message,
  build_failed: (d: { message: string }) => d.message,
  model_invalid: (d: { branch: string; count: number }) =>
    `data model on ${d.branch} has ${d.count} compilation error(s)`,
  model_unchecked: (d: { branch: string }) =>
    `data model on ${d.branch} could not be validated (the API reported a failure without any compilation errors)`,
  file_not_found: (d: { path: string }) => `file not found: ${d.path}`,
  content_missing: () => 'provide --file <path> or --content <text>',
  dev_mode_inactive: (d: { deployment: number }) =>
    `no dev-mode session is open on deployment ${d.deployment}: run \`hedron data-model dev-mode ${d.deployment} <branch>\` first`,
  not_a_directory: (d: { path: string }) => `${d.path} is not a directory`,
  nothing_to_deploy: (d: { path: string }) => `no deployable files found in ${d.path}`,
  branch_moved: (d: { branch: string; files: string }) =>
    `branch ${d.branch} moved since this folder was deployed to it: ${d.files} changed there. Bring the changes in (\`hedron data-model get\`), or pass --force to overwrite them`,
  gate_failed: (d: { message: string }) => d.message,
  update_unavailable: (d: { reason: string }) => `this hedron cannot update itself: ${d.reason}`,
  release_untrusted: (d: { reason: string }) => `the release is not to be trusted and nothing was changed: ${d.reason}`,
  release_incomplete: (d: { target: string }) =>
    `the latest release has no binary for this platform (${d.target}); it may still be building — try again in a few minutes`,
  update_failed: (d: { path: string }) => `failed to replace ${d.path}, which is as it was`,
  query_failed: (d: { message: string }) => d.message,
  eval_failed: (d: { message: string }) => d.message,
  eval_unverified: (d: { message: string }) => d.message,
  dbt_manifest_unusable: (d: { message: string }) => d.message,
  dbt_start_unclear: (d: { message: string }) => d.message,
  dbt_sync_missing: (d: { message: string }) => d.message,
  dbt_sync_failed: (d: { message: string }) => d.message,
  dbt_result_unread: (d: { message: string }) => d.message,
  dbt_files_refused: (d: { message: string }) => d.message,
} satisfies Record<string, (details: never) => string>

type Table = typeof table
export type FailureCode = keyof Table
export type FailureDetails<C extends FailureCode> = Parameters<Table[C]>[0]

/** A failure that the user can act on; printed as one line, or as a document with `--json`. */
export class Failure<C extends FailureCode = FailureCode> extends Error {
  readonly code: C

  constructor(code: C, ...[details, cause]: DetailsAndCause<C>) {
    // The table's entries differ only in their details, which the signature ties to the code.
    super((table[code] as (details: unknown) => string)(details), cause === undefined ? {} : { cause })
    this.name = 'Failure'
    this.code = code
  }
}

type DetailsAndCause<C extends FailureCode> = [FailureDetails<C>] extends [undefined]
  ? [details?: undefined, cause?: unknown]
  : [details: FailureDetails<C>, cause?: unknown]

/** A mistake in the arguments; ends the run with exit code 2. */
export const usage = (message: string): Failure<'usage'> => new Failure('usage', { message })
