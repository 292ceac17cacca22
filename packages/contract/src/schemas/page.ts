import * as z from 'zod'

export const PageInfo = z
  .object({
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    startCursor: z.string().nullable().optional(),
    endCursor: z.string().nullable().optional(),
  })
  .meta({ id: 'PageInfo' })
export type PageInfo = z.infer<typeof PageInfo>

/** Cursor paging: `first` items after the cursor `after`, which is the `pageInfo.endCursor` of the page before. */
export const PageQuery = z.strictObject({
  first: z.int().min(1).optional().meta({ description: 'Items on the page; more than 1,000 gives 1,000.' }),
  after: z.string().max(1024).optional().meta({ description: 'pageInfo.endCursor of the page before.' }),
})
export type PageQuery = z.infer<typeof PageQuery>

/** Offset paging of older clients; cannot be combined with `first` and `after`. */
export const OffsetQuery = z.strictObject({
  offset: z.int().min(0).optional().meta({ deprecated: true }),
  limit: z.int().min(0).optional().meta({ deprecated: true }),
})

export const OffsetPagination = z
  .object({ total: z.int().min(0), offset: z.int().min(0), limit: z.int().min(0) })
  .meta({ id: 'DeploymentsPagination' })

/** A list answer: `items` and `pageInfo`, with `data` as the deprecated twin of `items`. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    data: z.array(item).meta({ deprecated: true }),
    pageInfo: PageInfo,
  })
