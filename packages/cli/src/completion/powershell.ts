import type { Place } from './outline.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A script for PowerShell, Windows' own and the newer one: `hedron completion powershell | Out-String | Invoke-Expression`. */
export function powershellScript(places: readonly Place[]): string {
  const globals = places.find(({ path }) => path.length === 0)?.options ?? []
  const valued = new Set(
    places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(({ names }) => names)),
  )
  const table = places.flatMap(place => {
    const options = place.path.length === 0 ? globals : [...place.options, ...globals]
    const offers = [
      ...place.commands.map(({ name, summary }) => `@(${quoted(name)}, ${quoted(summary)})`),
      ...options.flatMap(({ names, help }) => names.map(name => `@(${quoted(name)}, ${quoted(help)})`)),
    ]
    const spellings = place.path.reduce<readonly string[]>(
      (before, names) => before.flatMap(words => names.map(name => (words === '' ? name : `${words} ${name}`))),
      [''],
    )
    return spellings.map(words => `    ${quoted(words)} = @(${offers.join(', ')})`)
  })
  return `# Completion of hedron for PowerShell: hedron completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName hedron -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $valued = @(${[...valued].sort().map(quoted).join(', ')})
  $places = @{
${table.join('\n')}
  }
  $known = ''
  $skip = $false
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition })
  foreach ($element in $elements) {
    $word = $element.ToString()
    if ($skip) { $skip = $false; continue }
    if ($valued -ccontains $word) { $skip = $true; continue }
    if ($word -like '-*') { continue }
    $longer = "$known $word".Trim()
    if ($places.ContainsKey($longer)) { $known = $longer }
  }
  if ($skip) { return }
  $places[$known] | Where-Object { $_[0].StartsWith($wordToComplete, [StringComparison]::Ordinal) -and ($wordToComplete -like '-*' -or $_[0] -notlike '-*') } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`
}
