import { expect, test } from 'vitest'
import { readServerSettings } from '../../src/drivers/network/read-settings.ts'
import { fakeSource } from '../support/service.ts'

const settings = { DB_HOST: 'warehouse', DB_NAME: 'sales', DB_USER: 'reader' }
const read = (changes: Readonly<Record<string, string>> = {}) =>
  readServerSettings({ ...fakeSource, type: 'postgres', settings: { ...settings, ...changes } }, 5432)
const pem = '-----BEGIN CERTIFICATE-----\\nabc\\n-----END CERTIFICATE-----'

test('host, database and user are enough', () => {
  expect(read()).toEqual({
    host: 'warehouse',
    port: 5432,
    database: 'sales',
    user: 'reader',
    password: undefined,
    ssl: false,
  })
})

test('encryption checks the certificate unless told otherwise, and a certificate asks for encryption', () => {
  expect(read({ DB_SSL: 'true' }).ssl).toEqual({ rejectUnauthorized: true })
  expect(read({ DB_SSL: 'true', DB_SSL_REJECT_UNAUTHORIZED: 'false' }).ssl).toEqual({ rejectUnauthorized: false })
  expect(read({ DB_SSL_CA: pem, DB_SSL_SERVERNAME: 'db.example' }).ssl).toEqual({
    rejectUnauthorized: true,
    ca: pem.replaceAll('\\n', '\n'),
    servername: 'db.example',
  })
})

test.for([
  [{ DB_HOST: '' }, 'CUBEJS_DB_HOST cannot be used: set it to the host name of the database server'],
  [{ DB_NAME: ' ' }, 'CUBEJS_DB_NAME cannot be used: set it to the name of the database'],
  [{ DB_USER: '' }, 'CUBEJS_DB_USER cannot be used'],
  [{ DB_PORT: '70000' }, 'CUBEJS_DB_PORT cannot be used: "70000" is not a port from 1 to 65535.'],
  [{ DB_PORT: '5432x' }, 'CUBEJS_DB_PORT cannot be used'],
  [{ DB_SSL_CA: '/etc/passwd' }, 'CUBEJS_DB_SSL_CA cannot be used: it is not the text of a PEM file'],
] as const)('%o is refused', ([changes, message]) => {
  expect(() => read(changes)).toThrow(message)
})
