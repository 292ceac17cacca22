/** `^\d{13,}-message$` (SPEC, endpoint 4): the time, and digits that tell apart what was asked in one millisecond. */
export function newMessageId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
  return `${Date.now()}${String(random % 1000).padStart(3, '0')}-message`
}
