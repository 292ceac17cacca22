import { CodedError } from '@hedron/contract'
import { requireAdmin } from '../access.ts'
import type { Operations } from '../operations.ts'
import { changeAccountSettings, readAccountSettings } from './account-settings.ts'
import type { PeopleNeed } from './people-need.ts'
import { settingsOfSession } from './session-settings.ts'

type SettingsOperations = Pick<Operations, 'getAppConfig' | 'getTenantSettings' | 'updateTenantSettings'>

export function createSettingsOperations({ store, effects, audit }: PeopleNeed): SettingsOperations {
  return {
    async getAppConfig(caller) {
      const settings = await readAccountSettings(store.kysely, caller.accountId)
      const { appTheme, applyThemeGlobally, creatorMode, restrictDataDownload } = settings
      const { sheetsAgentChatEnabled, sheetsUi, timezoneSettings } = settings
      return {
        appTheme,
        applyThemeGlobally,
        creatorMode,
        embedding: settingsOfSession(settings, caller.embed),
        restrictDataDownload,
        sheetsAgentChatEnabled,
        sheetsUi,
        timezoneSettings,
      }
    },

    async getTenantSettings(caller) {
      requireAdmin(caller)
      return readAccountSettings(store.kysely, caller.accountId)
    },

    async updateTenantSettings(caller, { body }, context) {
      requireAdmin(caller)
      if (body.auditLogEnabled === false) {
        throw new CodedError('setting_refused', {
          name: 'auditLogEnabled',
          reason: 'the audit log is always written here. Leave it out or send true',
        })
      }
      return store.transaction(async transaction => {
        await changeAccountSettings(transaction, caller.accountId, body, effects.now())
        await audit(transaction, caller, context, 'settings.update', `account ${caller.accountId}`, {
          changed: Object.keys(body),
        })
        return readAccountSettings(transaction, caller.accountId)
      })
    },
  }
}
