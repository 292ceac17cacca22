import { createScope } from '../support/scope.ts'
import { soak } from './soak.ts'

const help = `npm run soak [-- minutes [part of a client's name]]

Puts a platform of its own, with a PostgreSQL of its own as the source, under mixed load for so many minutes (default 10): every
interface, cancelled and abandoned queries, changes of the model and of variables, restarts of the source. Checks every answer,
lets it come to rest, and ends with 1 when anything was wrong, stuck or not given back. With a name, the clients of that name alone,
beside the changes.`

const say = (message: string) => console.log(`[soak] ${new Date().toISOString().slice(11, 19)} ${message}`)
const [argument = '10', name = ''] = process.argv.slice(2)
const minutes = Number(argument)
if (!(minutes > 0)) {
  console.log(help)
  process.exit(argument === '--help' ? 0 : 2)
}
const scope = createScope()
let code = 1
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say(`ended by ${signal}`)
    void scope.close().finally(() => process.exit(130))
  })
}
try {
  const { isWell, text } = await soak(scope, { seconds: minutes * 60, name }, say)
  console.log(`\n${text}\n`)
  say(isWell ? 'all is well' : 'NOT all is well')
  code = isWell ? 0 : 1
} catch (error) {
  console.error('[soak] failed:', error)
} finally {
  await scope.close()
}
process.exit(code)
