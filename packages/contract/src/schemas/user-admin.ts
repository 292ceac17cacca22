import * as z from 'zod'
import { HttpUrl, Locale, TimeZone } from './checked-text.ts'
import { Id } from './common.ts'

const Line = z
  .string()
  .trim()
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const Flag = z.boolean().nullish()

const Email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'must be an e-mail address')
  .meta({ examples: ['someone@example.com'] })
const Password = z.string().min(8, 'must have 8 characters or more').max(1024)

const SheetsSettings = z
  .strictObject({
    autoRunQueryOnChange: Flag,
    openExplorationFromSheet: Flag,
    revealSheetOnOpen: Flag,
    showAppliedFilters: Flag,
    suppressDuplicateValues: Flag,
  })
  .meta({ id: 'SheetsUserSettingsInput' })

const settings = {
  alternatingRowColors: Flag,
  defaultDeploymentId: Id.nullish(),
  lastSeenChangelogId: z.int().nullish().meta({ deprecated: true, description: 'Taken and not kept.' }),
  locale: Locale.nullish(),
  sheets: SheetsSettings.nullish().meta({ description: 'Merges field by field; null clears it.' }),
  theme: z.string().trim().max(64).nullish(),
  timezone: TimeZone.nullish(),
}

export const UserSettingsInput = z
  .strictObject(settings)
  .meta({ id: 'UserSettingsInput', description: 'What is left out stays; null clears it.' })
export type UserSettingsInput = z.infer<typeof UserSettingsInput>

/** As they are read; administrators may keep more in them. */
export const UserSettings = z.looseObject(settings).meta({ id: 'UserSettings' })

/** As an administrator sets them: clients may keep more of their own. */
const AnySettings = z
  .looseObject(settings)
  .refine(value => JSON.stringify(value).length <= 65_536, 'must not be larger than 64 KiB')

export const UserCreateInput = z
  .strictObject({
    email: Email,
    username: Line.min(1),
    firstName: Line.nullish(),
    password: Password.nullish(),
    picture: HttpUrl.nullish(),
    isAdmin: Flag,
    defaultRoles: z
      .array(Line.min(1))
      .max(100)
      .nullish()
      .meta({ description: 'Names of roles, built in or of the account.' }),
    settings: AnySettings.nullish(),
    externalId: z
      .string()
      .min(1)
      .max(1024)
      .nullish()
      .meta({ description: 'Makes an external user, as an embed session would.' }),
    isExternal: Flag.meta({ description: 'true makes an external user, known by the user name without externalId.' }),
  })
  .meta({ id: 'UserCreateInput' })
export type UserCreateInput = z.infer<typeof UserCreateInput>

const ofSessions = z
  .null('belongs to embed sessions; send it to POST /api/v1/embed/generate-session')
  .optional()
  .meta({ description: 'Belongs to embed sessions, not to users.' })

export const UserUpdateInput = z
  .strictObject({
    firstName: Line.nullish(),
    title: Line.nullish(),
    picture: HttpUrl.nullish(),
    isAdmin: Flag,
    isDeactivated: Flag.meta({ description: 'true ends the embed sessions and refuses the API keys of the user.' }),
    password: Password.nullish(),
    notifications: z.array(Line.min(1)).max(100).nullish().meta({ description: 'Names of what is switched on.' }),
    settings: AnySettings.nullish().meta({ description: 'Merges; null clears all.' }),
    lastLogin: z.iso.datetime({ offset: true }).nullish(),
    tosAccepted: z
      .record(z.string(), z.unknown())
      .refine(value => JSON.stringify(value).length <= 65_536, 'must not be larger than 64 KiB')
      .nullish(),
    embedTheme: ofSessions,
    securityContext: ofSessions,
  })
  .meta({
    id: 'UserUpdateInput',
    description: 'What is left out stays; null clears texts and leaves switches and the password as they are.',
  })
export type UserUpdateInput = z.infer<typeof UserUpdateInput>

export const BulkUserAction = z.enum(['DEACTIVATE', 'ACTIVATE', 'DELETE']).meta({ id: 'BulkUserAction' })
export type BulkUserAction = z.infer<typeof BulkUserAction>

export const BulkUserActionInput = z
  .strictObject({ action: BulkUserAction, userIds: z.array(Id).min(1).max(100) })
  .meta({ id: 'BulkUserActionInput' })

/** Why one item of a bulk request failed, as the request for it alone would answer. */
export const BulkActionError = z.object({ status: z.int(), message: z.string() }).meta({ id: 'BulkActionError' })

export const BulkUserActionPayload = z
  .object({
    action: BulkUserAction,
    succeeded: z.array(Id),
    failed: z.array(
      z
        .object({
          userId: Id,
          error: BulkActionError,
        })
        .meta({ id: 'BulkUserActionFailure' }),
    ),
  })
  .meta({ id: 'BulkUserActionPayload' })
export type BulkUserActionPayload = z.infer<typeof BulkUserActionPayload>

export const SignInLink = z
  .object({ url: z.url(), expiresAt: z.iso.datetime().meta({ description: 'When it is over, used or not.' }) })
  .meta({ id: 'SignInLink' })
export type SignInLink = z.infer<typeof SignInLink>
