/** A small product with a sign-in of its own that shows Hedron's dashboards to its customers: plain Node, no framework. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, openSession } from './hedron.ts'
import { shopPage, signInPage } from './pages.ts'
import { createSignIn } from './people.ts'
import { setUp } from './set-up.ts'

const { HEDRON_API_URL = 'http://localhost:4000', HEDRON_API_KEY, EXAMPLE_PORT = '4100' } = process.env
if (!HEDRON_API_KEY) {
  console.error('Set HEDRON_API_KEY to an administrator key: `npm start` prints the first one.')
  process.exit(1)
}
const hedron = connect(HEDRON_API_URL, HEDRON_API_KEY)
const analytics = await setUp(hedron)
const signIns = createSignIn()

const server = createServer((request, response) => {
  answer(request, response).catch(error => {
    console.error(error)
    response.writeHead(500).end('Something went wrong.')
  })
})
server.listen(Number(EXAMPLE_PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`The example is at http://localhost:${typeof address === 'object' ? address?.port : EXAMPLE_PORT}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.close(() => process.exit(0)))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const cookie = /(?:^|;\s*)shop=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const person = signIns.find(cookie)
  const isPost = request.method === 'POST'
  // Pages of other sites cannot make anybody's browser post here.
  if (isPost && request.headers['sec-fetch-site'] === 'cross-site') return void response.writeHead(403).end()
  switch (new URL(request.url ?? '/', 'http://shop').pathname) {
    case '/':
      return send(response, person === null ? signInPage('') : shopPage(hedron.url, analytics, person))
    case '/sign-in': {
      if (!isPost) break
      const form = new URLSearchParams(await bodyOf(request))
      const id = signIns.signIn(form.get('email') ?? '', form.get('password') ?? '')
      if (id === null) return send(response, signInPage('E-mail or password is wrong.'), 403)
      return void response
        .writeHead(303, { location: '/', 'set-cookie': `shop=${id}; HttpOnly; SameSite=Lax; Path=/` })
        .end()
    }
    case '/sign-out':
      if (!isPost) break
      signIns.signOut(cookie)
      return void response.writeHead(303, { location: '/' }).end()
    case '/analytics-session': {
      if (!isPost) break
      // Who is signed in decides what the frame may see; nothing of it comes from the browser.
      if (person === null) return void response.writeHead(401).end()
      const sessionId = await openSession(hedron, analytics.deploymentId, person)
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      return void response.end(JSON.stringify({ sessionId }))
    }
  }
  response.writeHead(404).end('Not found.')
}

function send(response: ServerResponse, page: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > 10_000) throw new Error('The form is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
