import type { CatalogSession } from '../catalog-view.ts'
import type { NamedRow } from './named-rows.ts'
import { oids } from './oids.ts'

/** What catalogs say of the server, of who is connected and of how. */
export const serverRows: Readonly<
  Record<string, (session: CatalogSession, settings: readonly SettingRow[]) => readonly NamedRow[]>
> = {
  pg_namespace: () => [
    { oid: oids.pgToast, nspname: 'pg_toast', nspowner: oids.superuser },
    { oid: oids.pgCatalog, nspname: 'pg_catalog', nspowner: oids.superuser },
    { oid: oids.public, nspname: 'public', nspowner: oids.user },
    { oid: oids.informationSchema, nspname: 'information_schema', nspowner: oids.superuser },
  ],
  pg_database: ({ database }) => [
    {
      oid: oids.database,
      datname: database,
      datdba: oids.user,
      encoding: 6,
      datlocprovider: 'c',
      datistemplate: false,
      datallowconn: true,
      datconnlimit: -1,
      datfrozenxid: 0,
      datminmxid: 0,
      dattablespace: 1663,
      datcollate: 'C.UTF-8',
      datctype: 'C.UTF-8',
    },
  ],
  pg_roles: ({ user }) =>
    roles(user).map(({ name, oid, isSuper }) => ({
      rolname: name,
      rolsuper: isSuper,
      rolinherit: true,
      rolcreaterole: isSuper,
      rolcreatedb: isSuper,
      rolcanlogin: !isSuper,
      rolreplication: false,
      rolconnlimit: -1,
      rolpassword: '********',
      rolbypassrls: isSuper,
      oid,
    })),
  pg_user: ({ user }) =>
    roles(user).map(({ name, oid, isSuper }) => ({
      usename: name,
      usesysid: oid,
      usecreatedb: isSuper,
      usesuper: isSuper,
      userepl: false,
      usebypassrls: isSuper,
      passwd: '********',
    })),
  pg_settings: (_, settings) =>
    settings.map(({ name, value, initial, description }) => ({
      name,
      setting: value,
      category: 'Client Connection Defaults',
      short_desc: description,
      context: 'user',
      vartype: 'string',
      source: value === initial ? 'default' : 'session',
      boot_val: initial,
      reset_val: initial,
      pending_restart: false,
    })),
  pg_stat_activity: ({ database, user, processId, setting, now }) => [
    {
      datid: oids.database,
      datname: database,
      pid: processId,
      usesysid: oids.user,
      usename: user,
      application_name: setting('application_name') ?? '',
      state: 'active',
      query_start: momentText(now),
      backend_type: 'client backend',
    },
  ],
  pg_stat_ssl: ({ processId }) => [{ pid: processId, ssl: false }],
}

/** A setting as `SHOW ALL` lists it. */
export interface SettingRow {
  readonly name: string
  readonly value: string
  readonly initial: string
  readonly description: string
}

const roles = (user: string) => [
  { name: user, oid: oids.user, isSuper: false },
  ...(user === 'hedron' ? [] : [{ name: 'hedron', oid: oids.superuser, isSuper: true }]),
]

const momentText = (milliseconds: number) => new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '+00')
