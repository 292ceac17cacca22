// A compiler that does what its first file says; `count` answers with the compilations that this thread has had.
import { parentPort } from 'node:worker_threads'
import type { SourceFile } from '@hedron/semantic'
import type { CompileAnswer } from '../../src/builds/compile-messages.ts'

let count = 0

const deeds: Readonly<Record<string, () => void>> = {
  hang() {
    for (;;) count += 0
  },
  crash() {
    setImmediate(() => {
      throw new Error('the thread crashed')
    })
  },
  exit: () => process.exit(7),
  devour() {
    const kept: number[][] = []
    for (;;) kept.push(new Array<number>(100_000).fill(1.5))
  },
}

parentPort?.on('message', (files: readonly SourceFile[]) => {
  count += 1
  const [first] = files
  const deed = deeds[first?.content ?? '']
  deed?.()
  const answer: CompileAnswer =
    first?.content === 'fault'
      ? { fault: new Error('the compiler failed') }
      : { model: first?.path ?? '', problems: [], warnings: [], cubesCount: count }
  if (first?.content !== 'crash') parentPort?.postMessage(answer)
})
