/** Writes what is made from the routes: the OpenAPI document and the client's table. Run with `npm run generate`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from '../src/generate.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
await mkdir(`${root}/src/generated`, { recursive: true })
for (const [path, content] of generatedFiles()) await writeFile(`${root}/${path}`, content)
