import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../src/catalog.ts'
import { type Catalog, optionName } from '../src/framework/command.ts'
import { globalParameters } from '../src/framework/global-options.ts'
import type { Parameters } from '../src/framework/parameter.ts'
import {
  assignmentsOf,
  commandsOf,
  firstValues,
  hasGrammar,
  mistakesOf,
  nodesOf,
  originsOf,
  parsePowershell,
  type Syntax,
  variablesOf,
  verbatim,
  withDescendants,
} from './support/powershell.ts'
import { useBench } from './support/run-hedron.ts'

/** Cmdlets of Windows PowerShell 5.1 and the parameters that they have there; newer ones have more, which are not used. */
const cmdlets: Readonly<Record<string, readonly string[]>> = {
  'ForEach-Object': [],
  'Get-ChildItem': ['LiteralPath', 'Filter'],
  'Get-Content': ['LiteralPath'],
  'Get-FileHash': ['Algorithm', 'LiteralPath'],
  'Invoke-WebRequest': ['UseBasicParsing', 'Uri', 'OutFile'],
  'Join-Path': [],
  'New-Object': [],
  'Out-Null': [],
  'Register-ArgumentCompleter': ['Native', 'CommandName', 'ScriptBlock'],
  'Remove-Item': ['LiteralPath', 'Recurse', 'Force', 'ErrorAction'],
  'Select-Object': ['First', 'Skip'],
  'Set-StrictMode': ['Version'],
  'Start-Sleep': ['Seconds'],
  'Test-Path': ['LiteralPath'],
  'Where-Object': [],
  'Write-Host': [],
}

/** Types of .NET Framework 4.5 and of Windows PowerShell 5.1, which runs on it. */
const types = [
  'Environment',
  'Guid',
  'IO.Compression.CompressionMode',
  'IO.Directory',
  'IO.File',
  'IO.Path',
  'Net.SecurityProtocolType',
  'Net.ServicePointManager',
  'StringComparison',
  'System.Management.Automation.CompletionResult',
  'int',
  'string',
]

/** Members of those types and of strings, paths, streams and the like in that .NET. */
const members = [
  ...['Build', 'OSVersion', 'Version', 'NewGuid', 'ToString', 'TrimEnd', 'Trim', 'StartsWith', 'Ordinal', 'Hash'],
  ...['SecurityProtocol', 'Tls12', 'GetTempPath', 'CreateDirectory', 'OpenRead', 'Create', 'Exists', 'Move', 'CopyTo'],
  ...['Decompress', 'Dispose', 'SessionState', 'Path', 'GetUnresolvedProviderPathFromPSPath'],
  ...['CommandElements', 'Extent', 'EndOffset', 'ContainsKey', 'new'],
]

/** Variables that PowerShell sets itself. */
const automatic = ['_', 'executioncontext', 'lastexitcode', 'true', 'false', 'null']

/** What Windows and the person who installs set. */
const environment = [
  ...['os', 'path', 'localappdata', 'processor_architecture', 'processor_architew6432'],
  ...['hedron_version', 'hedron_install_dir', 'hedron_update_url'],
].map(name => `env:${name}`)

const installer = () => readFile(join(import.meta.dirname, '../install/install.ps1'), 'utf8')

test('the grammar of PowerShell is not silently absent', () => {
  if (!hasGrammar) {
    process.stderr.write(
      'The scripts for PowerShell are read by nobody here; HEDRON_TEST_PYTHON=install makes what does.\n',
    )
  }
  expect(hasGrammar || process.env.CI === undefined).toBe(true)
})

describe.runIf(hasGrammar)('scripts for PowerShell', () => {
  const bench = useBench()
  const completion = async () => (await bench.run(['completion', 'powershell'])).stdout
  const scripts = [
    ['install.ps1', installer],
    ['completion', completion],
  ] as const

  test.each(scripts)('%s is PowerShell by its grammar, and of version 5.1', async (_, read) => {
    expect(mistakesOf(parsePowershell(await read()))).toEqual([])
  })

  test.each(scripts)('%s that is cut off or broken is none', async (_, read) => {
    const script = await read()
    for (const broken of [
      script.slice(0, script.lastIndexOf('}')),
      script.replace('$', '$('),
      script.replace(') {', ' {'),
    ]) {
      expect(mistakesOf(parsePowershell(broken))).not.toEqual([])
    }
  })

  test.each(['$a ?? 1', '$a ??= 1', '$a?.b', '$a ? 1 : 2', 'Get-Date && Get-Date', 'Get-Date || Get-Date'])(
    '%s of version 7 is not taken for one of 5.1',
    line => {
      expect(mistakesOf(parsePowershell(`${line}\n`))).not.toEqual([])
    },
  )

  test.each(scripts)('%s is ASCII, which each code page of Windows reads alike', async (_, read) => {
    expect(Array.from(await read()).filter(character => character > '~')).toEqual([])
  })

  test.each(scripts)('%s calls cmdlets, types and members that 5.1 has', async (_, read) => {
    const script = parsePowershell(await read())
    const functions = nodesOf(script, 'function_name').map(({ text }) => text)
    const called = commandsOf(script).filter(({ name }) => !functions.includes(name))
    expect(called.map(({ name }) => name).filter(name => cmdlets[name] === undefined)).toEqual([])
    const unknown = called.flatMap(({ name, parameters }) =>
      parameters.filter(parameter => !cmdlets[name]?.includes(parameter)).map(parameter => `${name} -${parameter}`),
    )
    expect(unknown).toEqual([])
    const namedTypes = nodesOf(script, 'type_spec').map(({ text }) => text)
    expect(namedTypes.filter(name => !types.includes(name))).toEqual([])
    const namedMembers = nodesOf(script, 'member_name').map(({ text }) => text)
    expect(namedMembers.filter(name => !members.includes(name))).toEqual([])
  })

  test.each(scripts)('%s uses no variable that has no value yet', async (_, read) => {
    const script = parsePowershell(await read())
    expect(withoutValue(script)).toEqual([])
    expect(withoutValue(parsePowershell('$a = 1; $b = $a + $typo; $later; $later = 2'))).toEqual(['typo', 'later'])
  })

  describe('install.ps1', () => {
    let script: Syntax
    beforeAll(async () => {
      script = parsePowershell(await installer())
    })

    test('honours HEDRON_VERSION, HEDRON_INSTALL_DIR and HEDRON_UPDATE_URL', () => {
      expect([...originsOf(script, 'address')]).toEqual(
        expect.arrayContaining(['env:hedron_update_url', 'env:hedron_version']),
      )
      expect(originsOf(script, 'place')).toContain('env:hedron_install_dir')
      expect(originsOf(script, 'fresh')).toContain('env:hedron_install_dir')
      const checked = nodesOf(script, 'if_statement').find(({ text }) => text.includes(' is not at '))
      expect(checked?.text).toMatch(
        /^if \(\$version -and \$archive -ne "hedron-\$version-windows-x64\.exe\.gz"\) { throw /,
      )
    })

    test('verifies the checksum before it unpacks, runs or moves anything', async () => {
      expect(touchedUnchecked(script)).toEqual([])
      const check = /^.*if \(\$actual -ne \$expected\).*$/m
      const text = await installer()
      const [line = ''] = check.exec(text) ?? []
      expect(touchedUnchecked(parsePowershell(text.replace(check, '')))).not.toEqual([])
      const late = text.replace(check, '').replace(/^.*# A program that runs cannot.*$/m, line)
      expect(touchedUnchecked(parsePowershell(late))).toEqual(['[IO.File]::Create($fresh)', '& $fresh --version'])
    })

    test('runs nothing outside a block, so that a part of it does nothing and it changes nothing of the session', () => {
      const [statements, ...others] = script.children.filter(({ type }) => type !== 'comment')
      expect(others).toEqual([])
      expect(statements?.children.map(({ text }) => text.slice(0, 3))).toEqual(['& {'])
      const assigned = assignmentsOf(script).flatMap(({ to }) => to)
      expect(assigned.filter(name => /^(env|global|script):/.test(name))).toEqual([])
    })

    test('stops at the first error, and fetches by TLS 1.2 where an older Windows would not', () => {
      const [first] = nodesOf(script, 'command').filter(({ text }) => text.startsWith('Invoke-WebRequest'))
      const before = withDescendants(script).filter(({ start }) => start < (first?.start ?? 0))
      const settings = before.filter(({ type }) => type === 'assignment_expression').map(({ text }) => text)
      expect(settings).toContain("$ErrorActionPreference = 'Stop'")
      expect(settings).toContain("$ProgressPreference = 'SilentlyContinue'")
      expect(settings.join('\n')).toContain('SecurityProtocolType]::Tls12')
    })

    test('moves only within the folder of the program, and puts the old one back when that fails', () => {
      const moves = nodesOf(script, 'invokation_expression').filter(({ text }) => text.startsWith('[IO.File]::Move('))
      expect(moves.map(({ text }) => text)).toEqual([
        '[IO.File]::Move($place, $old)',
        '[IO.File]::Move($fresh, $place)',
        '[IO.File]::Move($old, $place)',
      ])
      for (const name of ['place', 'old', 'fresh']) {
        const [assignment] = nodesOf(script, 'assignment_expression').filter(({ text }) => text.startsWith(`$${name} `))
        expect(assignment?.text).toContain('Join-Path $directory ')
      }
      expect(
        nodesOf(script, 'catch_clause')
          .map(({ text }) => text)
          .join('\n'),
      ).toContain('[IO.File]::Move($old, $place)')
    })
  })

  test('the completion offers the commands and options of the program, with every alias', async () => {
    const entries = nodesOf(parsePowershell(await completion()), 'hash_entry')
    const offered = entries.map(({ children }) => {
      const [place = '', ...texts] = children
        .flatMap(child => nodesOf(child, 'verbatim_string_characters'))
        .map(verbatim)
      const names = texts.filter((_, index) => index % 2 === 0)
      expect(names.length, `${place}: a list of one pair would be unrolled`).toBeGreaterThan(1)
      expect(texts).not.toContain('') // a tooltip must not be empty
      return [place, names.sort()]
    })
    // Keys of a hash table differ by more than their case, or PowerShell refuses the script.
    expect(new Set(offered.map(([place]) => String(place).toLowerCase())).size).toBe(offered.length)
    expect(Object.fromEntries(offered)).toEqual(await commandLine(catalog))
  })
})

/** Reads of variables before which none of the text gives them a value. */
function withoutValue(script: Syntax): readonly string[] {
  const first = firstValues(script)
  return nodesOf(script, 'variable').flatMap(node => {
    const [name = ''] = variablesOf(node)
    if (automatic.includes(name) || environment.includes(name)) return []
    return (first.get(name) ?? Number.POSITIVE_INFINITY) <= node.start ? [] : [name]
  })
}

/**
 * What writes, runs or moves the program in a list of statements where no earlier one of the same list has thrown for a wrong
 * checksum of what was fetched.
 */
function touchedUnchecked(script: Syntax): readonly string[] {
  const lists = nodesOf(script, 'statement_list')
  const isCheck = ({ type, text }: Syntax) =>
    type === 'if_statement' && /^if \(\$actual -ne \$expected\) \{ throw /.test(text)
  const hashes = assignmentsOf(script).filter(({ to, left }) => to.includes('actual') && left.text === '$actual')
  expect(hashes).toHaveLength(1)
  expect(originsOf(script, 'expected')).toContain('sums')
  const touches = nodesOf(script, 'invokation_expression', 'command').filter(({ text }) =>
    /^(\[IO\.File\]::(Create|Move)\(|& \$(fresh|place))/.test(text),
  )
  expect(touches.length).toBeGreaterThan(3)
  const checked = lists.flatMap(({ children }) => children.slice(children.findIndex(isCheck) + 1 || children.length))
  const safe = new Set(checked.flatMap(withDescendants))
  return touches.filter(touch => !safe.has(touch)).map(({ text }) => text)
}

/** For each spelling of each command and group, what may follow it. */
async function commandLine(entries: Catalog, above: readonly string[] = ['']): Promise<Record<string, string[]>> {
  const options = (parameters: Parameters) =>
    Object.entries(parameters).flatMap(([key, { short }]) => [
      optionName(key),
      ...(short === undefined ? [] : [`-${short}`]),
    ])
  const globals = options(globalParameters)
  const places: Record<string, string[]> = {}
  for (const words of above) places[words] = [...entries.map(({ name }) => name), ...globals].sort()
  for (const entry of entries) {
    const spellings = above.flatMap(words =>
      [entry.name, ...(entry.aliases ?? [])].map(name => `${words} ${name}`.trim()),
    )
    if ('commands' in entry) Object.assign(places, await commandLine(entry.commands, spellings))
    else for (const words of spellings) places[words] = [...options((await entry.load()).options), ...globals].sort()
  }
  return places
}
