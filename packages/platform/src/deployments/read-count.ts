/** A whole number above zero out of a deployment's variable; another one where it is absent or none. */
export function readCount(text: string | undefined, fallback: number): number {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : fallback
}
