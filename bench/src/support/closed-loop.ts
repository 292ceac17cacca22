/**
 * Has so many clients do a thing over and over, each waiting for its answer before it asks again.
 *
 * @returns how often a second it was done
 */
export async function closedLoop(
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
  once: (turn: number) => Promise<unknown>,
): Promise<number> {
  const began = performance.now()
  const until = began + seconds * 1_000
  let turns = 0
  let done = 0
  async function client(): Promise<void> {
    while (performance.now() < until) {
      await once(turns++)
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (done * 1_000) / (performance.now() - began)
}
