import manifest from '../package.json' with { type: 'json' }

/** Version of this client, as its package names it. */
export const version: string = manifest.version
