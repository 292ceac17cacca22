/** Waits for a promise, whatever becomes of it, and no longer than so many milliseconds. */
export async function settledWithin(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([promise.catch(() => {}), late])
  clearTimeout(timer)
}
