/**
 * Passes a stream's chunks on, and ends it where nobody takes the next one for that long: whoever reads nothing holds nothing.
 *
 * @param milliseconds between a chunk and the wish for the next one
 * @param onStall called once; the stream ends with the reader's connection
 */
export async function* untilStalled(
  chunks: AsyncIterable<string>,
  milliseconds: number,
  onStall: () => void,
): AsyncGenerator<string, void> {
  for await (const chunk of chunks) {
    const timer = setTimeout(onStall, milliseconds)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}
