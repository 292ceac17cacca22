import manifest from '../package.json' with { type: 'json' }

/** Version of this client, as its package names it. */
export const version: string = manifest.version

export const versionLine: string = `Hedron CLI ${version}`

/** The version belongs to the program, so it is asked for without a command. */
export const isVersionQuestion = (argv: readonly string[]): boolean =>
  argv.some(isVersion) && argv.every(argument => isVersion(argument) || argument === '--json')

const isVersion = (argument: string): boolean => argument === '--version' || argument === '-V'
