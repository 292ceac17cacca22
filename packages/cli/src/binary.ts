/** Where the binary begins. */
import { standardOutput } from './standard-output.ts'
import { isVersionQuestion, versionLine } from './version.ts'

// Scripts ask this to see whether the program is there, so nothing else is loaded for it.
if (isVersionQuestion(process.argv.slice(2))) standardOutput(1).write(`${versionLine}\n`)
else void import('./start.ts')
