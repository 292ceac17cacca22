import * as z from 'zod'
import { Permission } from '../permissions.ts'
import { Id } from './common.ts'

/** Who owns an item of the workspace. */
export const ResourceOwner = z
  .object({
    id: Id,
    email: z.string(),
    firstName: z.string().nullable(),
    picture: z.string().nullable(),
  })
  .meta({ id: 'ResourceOwner' })
export type ResourceOwner = z.infer<typeof ResourceOwner>

/** One of the folders around an item; paths begin at the workspace's root. */
export const FolderPathEntry = z.object({ id: Id, name: z.string() }).meta({ id: 'WorkspaceFolderPathEntry' })
export type FolderPathEntry = z.infer<typeof FolderPathEntry>

/** A group that an item is shared with, and what it may do with it. */
export const RoleWithAccess = z
  .object({ id: Id, name: z.string(), actions: z.array(Permission) })
  .meta({ id: 'RoleWithAccess' })
export type RoleWithAccess = z.infer<typeof RoleWithAccess>

/** The address of a report or a dashboard: unique in the account and never changed. */
export const PublicId = z.string().regex(/^[0-9A-Za-z]{12}$/, 'must be 12 characters of 0-9, A-Z and a-z')
