import { CodedError } from '@hedron/contract'

/** Personal dev branches begin with this, and nothing else does (SPEC, "Deployment and branches"). */
export const personalPrefix = 'dev-'

/** A ref is a file below `refs/heads/` in git's own store, where a name has 255 bytes. */
const maximumBytes = 244
const maximumSlug = 60

/**
 * Checks a name for a new shared branch by the rules of `git check-ref-format --branch`
 * (https://git-scm.com/docs/git-check-ref-format).
 *
 * @throws {CodedError} `branch_name_invalid`.
 */
export function checkBranchName(name: string): void {
  const reason = whyNotABranchName(name)
  if (reason !== undefined) throw new CodedError('branch_name_invalid', { branch: name, reason })
}

function whyNotABranchName(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty'
  if (!name.isWellFormed()) return 'it is not valid Unicode'
  if (Buffer.byteLength(name) > maximumBytes) return `it is longer than ${maximumBytes} bytes`
  if (name.startsWith(personalPrefix)) return 'dev- is reserved for personal branches, which entering dev mode makes'
  if (/[\p{Cc} ~^:?*[\\]/u.test(name)) return 'a control character, a space or one of ~ ^ : ? * [ \\ is in it'
  if (name.includes('..')) return 'it has two dots in a row'
  if (name.includes('@{')) return 'it has @{ in it'
  if (name === '@' || name === 'HEAD') return `git reads ${name} as something else`
  if (name.startsWith('-')) return 'it begins with a dash, which programs read as an option'
  if (name.startsWith('refs/')) return 'it begins with refs/, which git adds itself'
  if (name.endsWith('.')) return 'it ends with a dot'
  const parts = name.split('/')
  if (parts.includes('')) return 'it has an empty part before, after or between slashes'
  if (parts.some(part => part.startsWith('.'))) return 'a part of it begins with a dot'
  if (parts.some(part => part.endsWith('.lock'))) return 'a part of it ends with .lock'
  return undefined
}

/** The name of a personal branch: `dev-<user>-<8 hexadecimal digits>`. */
export function personalBranchName(userName: string, digits: string): string {
  const slug = userName
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maximumSlug)
    .replaceAll(/^-+|-+$/g, '')
  return `${personalPrefix}${slug || 'user'}-${digits}`
}
