import type { CompletedOption, Place } from './outline.ts'
import { powershellScript } from './powershell.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** A script for a shell to source, which offers commands and options where they fit, and file names elsewhere. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }[shell](places)
}

/** Patterns of the words that lead to a place, with aliases resolved by listing every spelling. */
const spellings = ({ path }: Place): readonly string[] =>
  path.reduce<readonly string[]>(
    (before, names) => before.flatMap(words => names.map(name => (words === '' ? name : `${words} ${name}`))),
    [''],
  )

const globalsOf = (places: readonly Place[]): readonly CompletedOption[] =>
  places.find(({ path }) => path.length === 0)?.options ?? []

/** Options that are followed by a value, over all places: the word after one is not a command. */
const valueOptions = (places: readonly Place[]): string =>
  [...new Set(places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(it => it.names)))]
    .sort()
    .join('|')

/** Lines of a `case` over the words so far: what each place offers. */
function casesOf(
  places: readonly Place[],
  offer: (place: Place, options: readonly CompletedOption[]) => string,
): string {
  const globals = globalsOf(places)
  return places
    .map(place => {
      const options = place.path.length === 0 ? globals : [...place.options, ...globals]
      const patterns = spellings(place)
        .map(words => `'${words}'`)
        .join('|')
      return `    ${patterns}) ${offer(place, options)} ;;`
    })
    .join('\n')
}

/** The part that bash and zsh share: the commands among the words before the cursor, options and their values left out. */
const collectPath = (places: readonly Place[], first: string, last: string): string => `
  local known='' word skip=''
  local -i at
  for ((at = ${first}; at < ${last}; at++)); do
    word="\${words[at]}"
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$word" in
      ${valueOptions(places)}) skip=yes; continue ;;
      -*) continue ;;
    esac
    case "\${known:+$known }$word" in
      ${places
        .flatMap(spellings)
        .filter(words => words !== '')
        .map(words => `'${words}'`)
        .join('|')})
        known="\${known:+$known }$word" ;;
    esac
  done`

function bashScript(places: readonly Place[]): string {
  const cases = casesOf(places, ({ commands }, options) => {
    const words = [...commands.map(({ name }) => name), ...options.flatMap(({ names }) => names), '--help', '-h']
    return `offers='${words.join(' ')}'`
  })
  return `# Completion of hedron for bash: source <(hedron completion bash)
_hedron() {
  local words=("\${COMP_WORDS[@]}") current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" offers=''
${collectPath(places, '1', 'COMP_CWORD')}
  COMPREPLY=()
  case "$previous" in
    ${valueOptions(places)}) return ;;
  esac
  case "$known" in
${cases}
  esac
  local offer
  for offer in $offers; do
    if [[ "$offer" == "$current"* && ( "$offer" != -* || "$current" == -* ) ]]; then COMPREPLY+=("$offer"); fi
  done
}
complete -o default -F _hedron hedron
`
}

function zshScript(places: readonly Place[]): string {
  const cases = casesOf(places, ({ commands }, options) => {
    const described = [
      ...commands.map(({ name, summary }) => [name, summary] as const),
      ...options.flatMap(({ names, help }) => names.map(name => [name, help] as const)),
    ]
    return `offers=(${described.map(([name, help]) => singleQuoted(`${name}:${help.replaceAll(':', '\\:')}`)).join(' ')})`
  })
  return `#compdef hedron
# Completion of hedron for zsh: source <(hedron completion zsh)
_hedron() {
  local -a offers
${collectPath(places, '2', 'CURRENT')}
  case "\${words[CURRENT-1]}" in
    ${valueOptions(places)}) _files; return ;;
  esac
  case "$known" in
${cases}
  esac
  _describe 'hedron' offers || _files
}
compdef _hedron hedron
`
}

function fishScript(places: readonly Place[]): string {
  const globals = globalsOf(places)
  const lines = places.flatMap(place => {
    const patterns = spellings(place).map(words => singleQuoted(words))
    const here = `-n ${singleQuoted(`contains -- (__hedron_path) ${patterns.join(' ')}`)}`
    const options = place.path.length === 0 ? globals : [...place.options, ...globals]
    return [
      ...place.commands.map(
        ({ name, summary }) => `complete -c hedron ${here} -f -a ${name} -d ${singleQuoted(summary)}`,
      ),
      ...options.map(({ names: [long = '', short], help, takesValue }) => {
        const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
        return `complete -c hedron ${here} -l ${long.slice(2)}${letter}${takesValue ? ' -r' : ''} -d ${singleQuoted(help)}`
      }),
    ]
  })
  const known = places.flatMap(spellings).filter(words => words !== '')
  return `# Completion of hedron for fish: hedron completion fish | source
function __hedron_path
  set -l known ''
  set -l skip
  for word in (commandline -opc)[2..-1]
    if set -q skip[1]
      set -e skip
      continue
    end
    switch $word
      case ${valueOptions(places).split('|').map(singleQuoted).join(' ')}
        set skip yes
        continue
      case '-*'
        continue
    end
    set -l longer (string trim -- "$known $word")
    if contains -- $longer ${known.map(singleQuoted).join(' ')}
      set known $longer
    end
  end
  echo $known
end
${lines.join('\n')}
`
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
