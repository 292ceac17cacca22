import type { Client } from '@hedron/contract/client'
import { type Command, command } from '../../framework/command.ts'
import { optional, type Parameters, text, type ValuesOf } from '../../framework/parameter.ts'
import type { Column } from '../../framework/table.ts'
import { given } from './one-request.ts'
import { type Page, pagingExclusive, pagingOptions, printList } from './paging.ts'

interface Listing<A extends Parameters> {
  readonly details?: string
  readonly examples: readonly [string, ...string[]]
  readonly arguments: A
  readonly columns: readonly Column[]
}

/** A command that prints a list which has nothing to choose but its page. */
export const listing = <A extends Parameters>({
  columns,
  read,
  ...spec
}: Listing<A> & {
  readonly read: (client: Client, query: Page, input: ValuesOf<A>) => Promise<unknown>
}): Command =>
  command({
    ...spec,
    options: pagingOptions,
    exclusive: pagingExclusive,
    async run(input, context) {
      const { client } = await context.session()
      await printList(context, input, columns, page => read(client, page, input))
    },
  })

/** A list that is searched by a part of a name, or what else `search` says. */
export const searchableListing = <A extends Parameters>({
  columns,
  read,
  search,
  ...spec
}: Listing<A> & {
  readonly search: string
  readonly read: (client: Client, query: Page & { readonly search?: string }, input: ValuesOf<A>) => Promise<unknown>
}): Command =>
  command({
    ...spec,
    options: { search: optional(text('text'), search), ...pagingOptions },
    exclusive: pagingExclusive,
    async run(input, context) {
      const { client } = await context.session()
      await printList(context, input, columns, page =>
        read(client, { ...page, ...given({ search: input.search }) }, input),
      )
    },
  })
