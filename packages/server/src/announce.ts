export interface Announcement {
  readonly baseUrl: string
  /** From the start of the process until requests were served. */
  readonly seconds: number
  readonly adminEmail: string
  /** Null: given from outside, or shown at an earlier start. */
  readonly password: string | null
  readonly apiKey: string | null
  /** Where PostgreSQL's wire protocol is spoken, if anywhere. */
  readonly sql: { readonly host: string; readonly port: number } | null
  /** `dashboard` is the public id of one. */
  readonly demo: { readonly deploymentId: number; readonly dashboard: string; readonly token: string } | null
}

/** Says that the service is ready, and how to ask it something. */
export function announce(print: (line: string) => void, about: Announcement): void {
  const { baseUrl, demo, sql } = about
  const key = about.apiKey ?? '<your API key>'
  print('')
  print(`  Hedron is ready at ${baseUrl}   (in ${about.seconds.toFixed(1)} s)`)
  print('')
  print(`  administrator   ${about.adminEmail}${about.password === null ? '' : `   password ${about.password}`}`)
  print(`  bootstrap key   ${about.apiKey ?? '(shown at the first start, or given by HEDRON_BOOTSTRAP_API_KEY)'}`)
  if (about.apiKey !== null) print('                  Keep it: it is shown this once, and only its digest is stored.')
  if (demo !== null) {
    const query = {
      measures: ['flight_facts.count', 'flight_facts.share_delayed'],
      dimensions: ['flight_facts.origin_city'],
      limit: 5,
    }
    print('')
    print('  Ask three million flights a question, over HTTP:')
    print('')
    print(`    curl -s ${baseUrl}/data/${demo.deploymentId}/cubejs-api/v1/load \\`)
    print(`      -H 'Authorization: ${demo.token}' -H 'Content-Type: application/json' \\`)
    print(`      -d '${JSON.stringify({ query })}'`)
    print('')
    print('  or from the command line, in this folder:')
    print('')
    print(`    HEDRON_API_URL=${baseUrl} HEDRON_API_KEY=${key} \\`)
    print(
      `      npx hedron query ${demo.deploymentId} --measures flight_facts.count,flight_facts.average_delay --dimensions flight_facts.origin_city --limit 5`,
    )
    print('')
    print('  or look at a dashboard, and ask in words, signed in as the administrator:')
    print('')
    print(`    ${baseUrl}/embed/dashboard/${demo.dashboard}`)
    print(`    ${baseUrl}/embed/chat`)
    if (sql !== null) {
      print('')
      print('  or in SQL, with an API key as the password:')
      print('')
      print(`    psql -h ${sql.host} -p ${sql.port} -U cube -d ${demo.deploymentId}`)
    }
  }
  print('')
}
