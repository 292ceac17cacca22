// The HTTP server that Hedron is built on, alone. PORT says where, BODY_FILE what it answers to POST /load, if anything.
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { fastify } = await import('fastify')

const { PORT, BODY_FILE } = process.env
const server = fastify()
server.get('/readyz', async () => ({ health: 'HEALTH' }))
if (BODY_FILE !== undefined) {
  const body = readFileSync(BODY_FILE, 'utf8')
  server.post('/load', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
}
await server.listen({ host: '127.0.0.1', port: Number(PORT) })
process.once('SIGTERM', () => void server.close())
