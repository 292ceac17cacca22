import * as z from 'zod'
import { Id } from './common.ts'
import { AttributeName, CanonicalEmbedTenantName, GroupDescription, GroupName } from './embed-tenant.ts'

const Switch = z.boolean().nullish()
const Colour = z.string().max(200).nullish()

export const EmbedUserProfile = z
  .strictObject({
    displayName: z.string().max(255).nullish(),
    picture: z
      .string()
      .max(2_048)
      .refine(isHttpUrl, 'must be an absolute http:// or https:// URL')
      .nullish()
      .meta({ description: 'Loaded by the browser of the end user, never by the server.', format: 'url' }),
  })
  .meta({ id: 'EmbedUserProfile' })

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

export const EmbedTenantProfile = z
  .strictObject({ displayName: z.string().max(255).nullish() })
  .meta({ id: 'EmbedTenantProfile' })

const ChatInput = z
  .strictObject({ backgroundColor: Colour, borderColor: Colour })
  .meta({ id: 'EmbedThemeAnalyticsChatInput' })
const AnalyticsChat = z
  .strictObject({ backgroundColor: Colour, chatInput: ChatInput.nullish() })
  .meta({ id: 'EmbedThemeAnalyticsChat' })
const Chat = z.strictObject({ inputColor: Colour }).meta({ id: 'EmbedThemeChat' })

export const EmbedTheme = z
  .strictObject({
    primaryColor: Colour,
    font: z.string().max(200).nullish(),
    analyticsChat: AnalyticsChat.nullish(),
    chat: Chat.nullish(),
  })
  .meta({ id: 'EmbedTheme', description: 'The look of one session. Any CSS colour.' })
export type EmbedTheme = z.infer<typeof EmbedTheme>

/** Each switch has three states: left out, or null, it follows the account's setting. */
export const EmbedSessionSettings = z
  .strictObject({
    allowAi: Switch,
    allowChatWorkspaceAuthoring: Switch,
    locale: z.string().max(100).nullish(),
    showAiWidgets: Switch,
    showDashboardChat: Switch,
    showDashboardSettings: Switch,
    showGroupByCube: Switch,
    showMemberNames: Switch,
    showWorkbookChat: Switch,
    showWorkbookShare: Switch,
    timezone: z.string().max(100).nullish(),
  })
  .meta({ id: 'EmbedSessionSettings' })
export type EmbedSessionSettings = z.infer<typeof EmbedSessionSettings>

export const GroupDefinition = z
  .strictObject({ name: GroupName, description: GroupDescription.nullish() })
  .meta({ id: 'GroupDefinition' })
export type GroupDefinition = z.infer<typeof GroupDefinition>

const AttributeDefinitionType = z
  .enum(['string', 'number', 'boolean', 'string_array', 'number_array'])
  .meta({ id: 'UserAttributeDefinitionDTOType' })

export const UserAttributeDefinition = z
  .strictObject({
    name: AttributeName,
    type: AttributeDefinitionType.meta({ description: 'It cannot be changed.' }),
    displayName: z.string().max(255).nullish(),
    defaultValue: z.string().max(65_536).nullish(),
    description: GroupDescription.nullish(),
  })
  .meta({ id: 'UserAttributeDefinition' })
export type UserAttributeDefinition = z.infer<typeof UserAttributeDefinition>

export const UserAttributeInput = z
  .strictObject({
    name: AttributeName,
    value: z
      .union([
        z.string().max(65_536),
        z.number(),
        z.boolean(),
        z.array(z.string().max(65_536)).max(10_000),
        z.array(z.number()).max(10_000),
      ])
      .nullish()
      .meta({ description: 'Of the type of the definition; null clears it.' }),
  })
  .meta({ id: 'UserAttributeInput' })
export type UserAttributeInput = z.infer<typeof UserAttributeInput>

const list = <T extends z.ZodType>(item: T) => z.array(item).max(1_000)

export const GenerateSession = z
  .strictObject({
    deploymentId: Id,
    externalId: z.string().max(1_000).nullish(),
    internalId: z.string().min(1).max(320).nullish(),
    email: z
      .string()
      .trim()
      .max(320)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .nullish(),
    userProfile: EmbedUserProfile.nullish(),
    embedTenantName: CanonicalEmbedTenantName.nullish(),
    embedTenantProfile: EmbedTenantProfile.nullish(),
    creatorMode: z.boolean().nullish(),
    userAttributes: list(UserAttributeInput).nullish(),
    groups: list(GroupName)
      .nullish()
      .meta({ description: 'Left out: kept; empty: cleared; else exactly these. Names, not ids.' }),
    tenantGroups: list(GroupName)
      .nullish()
      .meta({ description: 'Groups of the embed tenant, beside those of `groups`; creator mode alone.' }),
    userAttributeDefinitions: list(UserAttributeDefinition).nullish(),
    groupDefinitions: list(GroupDefinition).nullish(),
    tenantGroupDefinitions: list(GroupDefinition).nullish(),
    securityContext: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ description: 'Passed to data queries; at most 1 MiB.' }),
    settings: EmbedSessionSettings.nullish(),
    embedTheme: EmbedTheme.nullish(),
    branchName: z
      .string()
      .max(255)
      .nullish()
      .meta({ description: 'Queries ask the model of this branch; left out: production.' }),
    publicDashboardId: z.string().max(64).nullish().meta({
      description: 'The session is for this dashboard of the deployment alone; creator mode is not limited by it.',
    }),
    roles: list(z.string().max(255)).nullish().meta({
      description:
        'Names of roles of the account. Of their policies the session has what lets it look; not with internalId.',
    }),
    isEphemeral: z
      .boolean()
      .nullish()
      .meta({ description: 'Whether a user who is new is removed after `ephemeralTtlSeconds`.' }),
    ephemeralTtlSeconds: z.int().min(1).max(31_536_000).nullish().meta({ description: '604,800 when omitted.' }),
  })
  .meta({ id: 'GenerateSession' })
export type GenerateSession = z.infer<typeof GenerateSession>

export const GenerateSessionResponse = z.object({ sessionId: z.string() }).meta({ id: 'GenerateSessionResponse' })

export const PostTokenBySessionIdInput = z
  .strictObject({ sessionId: z.string().max(200) })
  .meta({ id: 'PostTokenBySessionIdInput' })

export const GenerateEmbedTokenResponse = z.object({ token: z.string() }).meta({ id: 'GenerateEmbedTokenResponse' })

export const RevokeEmbedSessionInput = z
  .strictObject({
    sessionId: z
      .string()
      .regex(/^(?:[0-9a-f]{32}|[0-9a-f]{64})$/, 'must be as generate-session answered it: 64 hexadecimal digits')
      .meta({ examples: ['0123456789abcdef'.repeat(4)] }),
  })
  .meta({ id: 'RevokeEmbedSessionInput' })

export const RotateEmbedSecretInput = z
  .strictObject({
    revokeExisting: z
      .boolean()
      .nullish()
      .meta({ description: 'Tokens that the secrets before have signed end at once, rather than within 24 hours.' }),
  })
  .meta({ id: 'RotateEmbedSecretInput' })

export const RotateEmbedSecretResponse = z
  .object({ secretId: z.string().meta({ description: '`kid` of the tokens that it signs.' }) })
  .meta({ id: 'RotateEmbedSecretResponse' })
