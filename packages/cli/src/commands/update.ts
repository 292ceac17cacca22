import { promisify } from 'node:util'
import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { flag } from '../framework/parameter.ts'
import { downloadFile, newestFile, releaseSource } from '../update/newest-release.ts'
import { checkSum, isNewer } from '../update/release.ts'
import { remember } from '../update/remembered.ts'
import { replaceProgram } from '../update/replace-program.ts'
import { version } from '../version.ts'

/** Bytes of a program at most; what unpacks to more is not one. */
const largestProgram = 1024 ** 3

export const update = command({
  details:
    'Downloads the newest release, checks its signature and checksum, sees it start, and puts it in the place of this program in one step. HEDRON_UPDATE_URL names another address of releases.',
  examples: ['hedron update', 'hedron update --check'],
  arguments: {},
  options: { check: flag('only say whether there is a newer release') },
  async run({ check }, { effects, output }) {
    const source = releaseSource(effects)
    const file = await newestFile(source, effects.signal)
    await remember(effects, { checkedAt: effects.now(), latest: file.version })
    const document = { current: version, latest: file.version, target: source.target }
    if (!isNewer(file.version, version)) {
      output.result({ ...document, updateAvailable: false, updated: false }, () =>
        output.success(`hedron ${version} is up to date (latest release: ${file.version})`),
      )
      return
    }
    if (!output.json) {
      output.line(`Current version: ${version}`)
      output.line(`Latest release:  ${file.version}`)
    }
    if (check) {
      output.result({ ...document, updateAvailable: true, updated: false }, () =>
        output.line('Run `hedron update` to install it.'),
      )
      return
    }
    output.progress(`Downloading ${file.name}…`)
    const packed = await downloadFile(source, file, effects.signal)
    checkSum(packed, file)
    const path = await replaceProgram(effects.executable, await unpacked(packed), file.version, effects.platform)
    output.result({ ...document, path, updateAvailable: true, updated: true }, () =>
      output.success(`Updated hedron ${version} → ${file.version} (${path})`),
    )
  },
})

async function unpacked(bytes: Buffer): Promise<Buffer> {
  const { gunzip } = process.getBuiltinModule('node:zlib')
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: largestProgram })
  } catch (error) {
    throw new Failure('release_untrusted', { reason: 'the file cannot be unpacked' }, error)
  }
}
