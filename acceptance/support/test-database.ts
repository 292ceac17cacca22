import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A database of its own on the PostgreSQL that the tests were given. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `hedron_acceptance_${randomBytes(8).toString('hex')}`
  await runOn(serverUrl, `create database ${name} encoding 'UTF8' template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
