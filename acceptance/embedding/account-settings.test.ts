import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
const least = { policies: [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['1'] }] }
const title = () => randomBytes(6).toString('hex')

describe('tenant settings', () => {
  test('have the published fields and a default each', async () => {
    const settings = await admin.getTenantSettings({})
    expect(settings).toMatchObject({
      auditLogEnabled: true,
      auditLogEnabledCurrent: true,
      hasSupportAccess: false,
      useAIBIUserInterface: true,
      maintenanceWindowEnabled: false,
      maintenanceWindowDay: 'Sunday',
      maintenanceWindowTime: '00:00',
      oidcEnabled: false,
      embeddingEnabled: true,
      useCreatorMode: true,
      externalUserLimit: 10_000,
    })
    expect(settings.auditLogEnabledTimestamp).toBeLessThanOrEqual(Date.now())
  })

  test('sent back as they were read change nothing', async () => {
    const { auditLogEnabledCurrent: _, auditLogEnabledTimestamp: __, ...settings } = await admin.getTenantSettings({})
    expect(await admin.updateTenantSettings({ body: settings })).toMatchObject(settings)
  })

  test('merge: what is left out stays, also inside a group; null goes back to the default', async () => {
    const workspaceTitle = title()
    await admin.updateTenantSettings({ body: { creatorMode: { workspaceTitle, showGeneratedSql: true } } })
    const changed = await admin.updateTenantSettings({
      body: { maintenanceWindowDay: 'Monday', creatorMode: { showWorkspaceTitle: false } },
    })
    expect(changed.maintenanceWindowDay).toBe('Monday')
    expect(changed.creatorMode).toMatchObject({ workspaceTitle, showGeneratedSql: true, showWorkspaceTitle: false })
    const cleared = await admin.updateTenantSettings({
      body: { maintenanceWindowDay: null, creatorMode: { showGeneratedSql: null } },
    })
    expect(cleared.maintenanceWindowDay).toBe('Sunday')
    expect(cleared.creatorMode).toMatchObject({ workspaceTitle, showGeneratedSql: false, showWorkspaceTitle: false })
    const { creatorMode } = await admin.updateTenantSettings({ body: { creatorMode: null } })
    expect(creatorMode).toMatchObject({ workspaceTitle: null, showWorkspaceTitle: true })
  })

  test('that are changed at once all hold', async () => {
    const fields = ['showWorkspaceTitle', 'showGeneratedSql', 'showSemanticSql'] as const
    for (const value of [true, false]) {
      await Promise.all(fields.map(name => admin.updateTenantSettings({ body: { creatorMode: { [name]: value } } })))
      const { creatorMode } = await admin.getTenantSettings({})
      expect(fields.map(name => creatorMode[name])).toEqual([value, value, value])
    }
    await admin.updateTenantSettings({ body: { creatorMode: null } })
  })

  test.each([
    [{ embedding: { locale: 'not a locale' } }, /^embedding.locale/],
    [{ embedding: { timezone: '+02:00' } }, /^embedding.timezone/],
    [{ timezoneSettings: { timezone: 'Mars/Olympus' } }, /^timezoneSettings.timezone/],
    [{ maintenanceWindowDay: 'someday' }, /^maintenanceWindowDay/],
    [{ maintenanceWindowTime: '25:00' }, /^maintenanceWindowTime/],
    [{ externalUserLimit: -1 }, /^externalUserLimit/],
    [{ appTheme: { logoUrl: 'http://example.com/logo.svg' } }, /^appTheme.logoUrl/],
    [{ appTheme: { logoUrl: 'javascript:alert(1)' } }, /^appTheme.logoUrl/],
    [{ appTheme: { palette: { accent: { color: 'red;}body{display:none' } } } }, /^appTheme.palette.accent.color/],
    [{ appTheme: { palette: { accent: { color: 'url(https://example.com)' } } } }, /^appTheme.palette.accent.color/],
    [{ appTheme: { palette: { accent: { hue: 361 } } } }, /^appTheme.palette.accent.hue/],
    [{ creatorMode: { localizedTitles: [{ locale: 'x-', value: 'a' }] } }, /^creatorMode.localizedTitles\[0\].locale/],
    [{ creatorMode: { unknown: 1 } }, /unknown field "unknown"/],
    [{ auditLogEnabledCurrent: false }, /unknown field/],
  ])('refuse %j and change nothing', async (body, message) => {
    const before = await admin.getTenantSettings({})
    const answer = await api.put('/api/v1/tenant/settings', { hasSupportAccess: true, ...body })
    expect(answer.status).toBe(400)
    expect(String(answer.body.message)).toMatch(message)
    expect(await admin.getTenantSettings({})).toEqual(before)
  })

  test('do not switch the audit log off', async () => {
    await expectRefusal(
      admin.updateTenantSettings({ body: { auditLogEnabled: false } }),
      'setting_refused',
      /audit log/,
    )
  })

  test('are read and changed by administrators alone', async () => {
    const limited = connect(api.with(await createKey(api, least)))
    await expectRefusal(limited.getTenantSettings({}), 'admin_required')
    await expectRefusal(limited.updateTenantSettings({ body: { useCreatorMode: false } }), 'admin_required')
  })
})

describe('app-config', () => {
  let limited: typeof admin
  beforeAll(async () => {
    limited = connect(api.with(await createKey(api, least)))
  })

  test('is read by any caller and holds no settings of the administration', async () => {
    const config = await limited.getAppConfig({})
    expect(config).toMatchObject({
      applyThemeGlobally: false,
      restrictDataDownload: false,
      embedding: { allowAi: true, showDashboardChat: true, enableDashboardComments: false, locale: 'en-US' },
      creatorMode: { showSemanticSql: true, showGeneratedSql: false },
    })
    expect(Object.keys(config)).not.toContain('externalUserLimit')
    expect(Object.keys(config)).not.toContain('hasSupportAccess')
  })

  test('shows a theme, with both colour schemes filled in from its palette', async () => {
    const appTheme = {
      palette: { accent: { color: 'rgb(51 102 255 / 50%)' }, contrastLevel: 60, surfaceMode: 'tinted' as const },
      logoUrl: 'https://example.com/logo.svg',
    }
    await admin.updateTenantSettings({ body: { appTheme } })
    const shown = (await limited.getAppConfig({})).appTheme
    expect(shown).toMatchObject({
      ...appTheme,
      light: { accentColor: 'rgb(51 102 255 / 50%)', contrast: 60, logoUrl: appTheme.logoUrl },
      dark: { accentColor: 'rgb(51 102 255 / 50%)', contrast: 60 },
    })
    const dark = { ...shown?.dark, accentColor: 'teal' }
    await api.put('/api/v1/tenant/settings', { appTheme: { dark } })
    expect((await limited.getAppConfig({})).appTheme).toMatchObject({ palette: {}, logoUrl: '', dark })
    await admin.updateTenantSettings({ body: { appTheme: null } })
    expect((await limited.getAppConfig({})).appTheme).toBeNull()
  })

  test("the time zone of embeds is the account's where they have none", async () => {
    const embedding = async () => (await limited.getAppConfig({})).embedding
    await admin.updateTenantSettings({ body: { timezoneSettings: { timezone: 'Asia/Tokyo' } } })
    expect((await embedding()).timezone).toBe('Asia/Tokyo')
    await admin.updateTenantSettings({ body: { embedding: { timezone: 'Europe/Berlin' } } })
    expect((await embedding()).timezone).toBe('Europe/Berlin')
    await admin.updateTenantSettings({ body: { timezoneSettings: null, embedding: { timezone: null } } })
    expect((await embedding()).timezone).toBeNull()
  })
})
