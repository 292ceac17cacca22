/** The variables of a deployment whose source is this PostgreSQL. */
export function postgresVariables(url: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  return {
    CUBEJS_DB_TYPE: 'postgres',
    CUBEJS_DB_HOST: searchParams.get('host') ?? hostname,
    CUBEJS_DB_PORT: searchParams.get('port') ?? port,
    CUBEJS_DB_NAME: pathname.slice(1),
    CUBEJS_DB_USER: decodeURIComponent(username),
    CUBEJS_DB_PASS: decodeURIComponent(password),
  }
}
