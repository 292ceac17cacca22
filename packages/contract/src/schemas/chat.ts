import * as z from 'zod'
import { UserAttributeInput } from './embed-session.ts'
import { GroupName } from './embed-tenant.ts'

/** Characters of a question at most: 1 MiB of ASCII. */
export const longestQuestion = 1_048_576

const list = <T extends z.ZodType>(item: T) => z.array(item).max(1_000)

/** `sessionSettings` of chat: for whom an API key asks (contract/chat.yaml, `SessionSettingsDto`). */
export const ChatSessionSettings = z
  .strictObject({
    externalId: z.string().max(1_000).nullish(),
    internalId: z.string().min(1).max(320).nullish().meta({ description: 'E-mail address of an internal user.' }),
    email: z
      .string()
      .trim()
      .max(320)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .nullish(),
    userAttributes: list(UserAttributeInput).nullish(),
    groups: list(GroupName).nullish(),
    roles: list(z.string().max(255)).nullish(),
    securityContext: z.record(z.string(), z.unknown()).nullish(),
    publicDashboardId: z.string().max(64).nullish(),
    isEphemeral: z.boolean().nullish().meta({ description: 'false: the user who is made stays. Default true.' }),
    ephemeralTtlSeconds: z.int().min(1).max(31_536_000).nullish().meta({ description: '604,800 when omitted.' }),
    timezone: z.string().max(100).nullish(),
    settings: z.strictObject({ timezone: z.string().max(100).nullish() }).nullish(),
    allowChatWorkspaceAuthoring: z.boolean().nullish(),
  })
  .meta({ id: 'ChatSessionSettings' })
export type ChatSessionSettings = z.infer<typeof ChatSessionSettings>

const ChatImage = z.strictObject({
  mimeType: z
    .string()
    .regex(/^image\/(?:png|jpeg|gif|webp)$/, 'must be image/png, image/jpeg, image/gif or image/webp'),
  data: z
    .string()
    .min(4)
    .max(8 * 1024 * 1024)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'),
  name: z.string().max(255).nullish(),
})

const ChatId = z.string().min(1).max(100)

/** Body of a chat stream (contract/chat.yaml, `ChatRequest`). */
export const ChatRequest = z
  .strictObject({
    input: z.string().min(1).max(longestQuestion).nullish(),
    chatId: ChatId.nullish(),
    messageId: z
      .string()
      .regex(/^\d{13,30}-message$/, 'must be a time in milliseconds of 13 or more digits, then -message')
      .nullish(),
    images: z.array(ChatImage).max(10).nullish(),
    sessionSettings: ChatSessionSettings.nullish(),
    activeBranchName: z.string().min(1).max(255).nullish(),
    isDefaultBranch: z.boolean().nullish(),
  })
  .meta({ id: 'ChatRequest' })
export type ChatRequest = z.infer<typeof ChatRequest>

/** Body of a chat abort (contract/chat.yaml, `AbortChatRequest`). */
export const AbortChatRequest = z
  .strictObject({ chatId: ChatId, sessionSettings: ChatSessionSettings.nullish() })
  .meta({ id: 'AbortChatRequest' })
export type AbortChatRequest = z.infer<typeof AbortChatRequest>
