/** What of a deployment a web socket is opened on. */
export interface SocketAddress {
  readonly deploymentId: number
  /** Null: production. */
  readonly branchName: string | null
}

/** Reads `/data/{id}/` or `/data/{id}/dev-mode/{branch}/`, as the path `/` of the data API is reached. Null: neither. */
export function readSocketAddress(url: string): SocketAddress | null {
  const [path = ''] = url.split('?', 1)
  const [, id, rest = ''] = /^\/data\/([1-9]\d{0,14})(?:\/(.*?))?\/*$/.exec(path) ?? []
  if (id === undefined) return null
  if (rest === '') return { deploymentId: Number(id), branchName: null }
  const [, encoded] = /^dev-mode\/(.+)$/.exec(rest) ?? []
  const branchName = encoded === undefined ? null : decode(encoded)
  return branchName === null ? null : { deploymentId: Number(id), branchName }
}

function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
