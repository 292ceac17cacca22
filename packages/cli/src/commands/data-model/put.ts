import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { nonBlank, optional, required, text } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument, validateCommand } from '../shared/arguments.ts'
import { readTextFile } from '../shared/read-text.ts'

export const putFile = command({
  details: 'Creates or overwrites one file on a personal dev- branch; without --branch on the open dev-mode branch.',
  examples: [
    'hedron data-model put 1 model/cubes/flights.yml --file flights.yml',
    "hedron data-model put 1 model/empty.yml --content 'cubes: []' --branch dev-ada-main",
  ],
  arguments: {
    deployment: deploymentArgument,
    path: required(nonBlank('path', "names no file in the deployment's data model"), 'path to write'),
  },
  options: {
    file: optional(
      nonBlank('path', 'names no file to read (a path or `-`)'),
      'local file, or - for the standard input',
    ),
    content: optional(text('text'), 'the content itself, or - for the standard input'),
    branch: branchOption,
  },
  exclusive: [['file', 'content']],
  next: ({ deployment, branch }, quote) => validateCommand(deployment, branch, quote),
  async run({ deployment, path, file, content, branch }, { effects, output, session }) {
    const { client } = await session()
    if (file === undefined && content === undefined) throw new Failure('content_missing')
    const fromInput = file === '-' || content === '-'
    const written = fromInput
      ? await effects.readInput()
      : file === undefined
        ? (content ?? '')
        : await readTextFile(file)
    const answer = await client.updateFiles({
      params: { deploymentId: deployment },
      body: { files: [{ path, content: written }], branchName: branch },
    })
    output.result(answer, () => output.success(`Wrote ${path}`))
  },
})
