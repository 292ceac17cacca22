import { createHash } from 'node:crypto'
import { openStore } from '@hedron/store'
import type { GeneratedFile } from './generate-model.ts'
import type { Scope } from './scope.ts'

export interface BareStore {
  /** Inserts the contents and updates one row, in one transaction that is on disk when it ends. */
  write(files: readonly GeneratedFile[]): Promise<void>
}

const schema = `
  create table bare_blobs (id bytea primary key, content bytea not null);
  create table bare_branches (id int primary key, tree bytea not null);
  insert into bare_branches values (1, '')`

/** The least that writing files durably takes: the embedded PostgreSQL with the platform's settings, and nothing around it. */
export async function openBareStore(scope: Scope): Promise<BareStore> {
  const store = await openStore({ directory: await scope.folder() })
  scope.defer(() => store.close())
  const client = await store.pool.connect()
  scope.defer(async () => client.release())
  await client.query(schema)
  return {
    async write(files) {
      const contents = files.map(({ content }) => Buffer.from(content))
      const ids = contents.map(content => createHash('sha1').update(content).digest())
      const starts: number[] = []
      let start = 1
      for (const { length } of contents) {
        starts.push(start)
        start += length
      }
      await client.query('begin')
      // One binary parameter that the server cuts up, the fastest way found to send many.
      await client.query(
        `insert into bare_blobs
         select decode(id, 'hex'), substring($1::bytea from start for size)
         from unnest($2::text[], $3::int[], $4::int[]) as blob (id, start, size)
         on conflict do nothing`,
        [Buffer.concat(contents), ids.map(id => id.toString('hex')), starts, contents.map(content => content.length)],
      )
      await client.query('update bare_branches set tree = $1 where id = 1', [ids[0]])
      await client.query('commit')
    },
  }
}
