import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts data files into a deployment's folder, each whole or not at all; those that are there with the same size stay. */
export async function provideDataFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, source] of files) {
    const target = join(folder, name)
    if ((await sizeOf(target)) === (await sizeOf(source))) continue
    const draft = `${target}.${process.pid}.part`
    await copyFile(source, draft)
    await rename(draft, target)
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
