import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manualPages } from '../completion/manual.ts'
import { command } from '../framework/command.ts'
import { Failure, usage } from '../framework/failure.ts'
import { globalParameters } from '../framework/global-options.ts'
import { nonBlank, optional, repeated, text } from '../framework/parameter.ts'
import { version } from '../version.ts'

export const man = command({
  details: 'Prints the page of a command for man to show, or writes all pages into a folder.',
  examples: ['hedron man deploy', 'hedron man data-model get', 'hedron man --directory /usr/local/share/man/man1'],
  arguments: { command: repeated(text('word'), 'words of the command; none: the page of the whole') },
  options: { directory: optional(nonBlank('path', 'names no folder'), 'write every page into this folder') },
  async run({ command: words, directory }, { catalog, output }) {
    const pages = await manualPages(catalog, globalParameters, version)
    if (directory === undefined) {
      const wanted = `${['hedron', ...words].join('-')}.1`
      const page = pages.find(({ fileName }) => fileName === wanted)
      if (page === undefined) throw usage(`there is no command '${words.join(' ')}'`)
      output.exact(page.text)
      return
    }
    try {
      await mkdir(directory, { recursive: true })
      for (const { fileName, text: page } of pages) await writeFile(join(directory, fileName), page)
    } catch (error) {
      throw new Failure('file_unwritable', { path: directory }, error)
    }
    output.result({ directory, pages: pages.map(({ fileName }) => fileName) }, () =>
      output.success(`Wrote ${pages.length} pages into ${directory}`),
    )
  },
})
