import type { Endpoint } from './socket.ts'

export type ServerSettings = Readonly<Record<string, string>>

/** Settings of the embedded server, given on its command line so that a newer Hedron's apply without editing files. */
export function serverSettings({ host, port, socketDirectory }: Endpoint): ServerSettings {
  return {
    listen_addresses: socketDirectory === undefined ? host : '',
    unix_socket_directories: socketDirectory === undefined ? '' : `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: '100',
    // Durability is PostgreSQL's default; said here so that no file can take it away.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // A small neighbour: metadata fits in memory many times over.
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    io_method: 'sync', // no reader processes beside it
    jit: 'off',
    // What comes by the thousand is planned with statistics of it within half a minute; by default it may take two.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    cluster_name: 'hedron',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Errors of statements go to the caller. Here they would only repeat, with the values of rows.
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
}

export function settingArguments(settings: ServerSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
