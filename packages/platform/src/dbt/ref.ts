import { CodedError } from '@hedron/contract'

/**
 * Checks a branch or tag of the dbt repository by the rules of `git check-ref-format`, and that it is no commit.
 *
 * @throws {CodedError} `dbt_ref_invalid`.
 */
export function checkRef(ref: string): void {
  const reason = whyNot(ref)
  if (reason !== null) throw new CodedError('dbt_ref_invalid', { ref, reason })
}

function whyNot(ref: string): string | null {
  if (ref.trim() === '') return 'it is empty'
  if (ref.length > 244) return 'it is longer than 244 characters'
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(ref)) return 'it is a commit: name a branch or a tag'
  if (ref.startsWith('-')) return 'it begins with a dash'
  if (/[\p{Cc} ~^:?*[\\]/u.test(ref) || ref.includes('..') || ref.includes('@{')) return 'git allows no such name'
  return /(^|\/)\.|\/\/|^\/|\/$|\.$|\.lock(\/|$)|^@$/.test(ref) ? 'git allows no such name' : null
}

/** `dbt-sync/<ref>-<time>-<8 hexadecimal digits>`: what of the ref a branch's name may hold, at most 40 characters of it. */
export function syncBranchName(ref: string, at: Date, digits: string): string {
  const part = ref
    .replace(/^#+/, '')
    .replaceAll(/[^A-Za-z0-9_.-]/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '')
    .slice(0, 40)
  return `dbt-sync/${part || 'sync'}-${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}-${digits}`
}
