import { CatalogError } from '../catalog-error.ts'

/** Matches text in time linear in its length, whatever the pattern: callers write patterns. */
export type Matcher = (text: string) => boolean

type Step =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean; next: number }
  | { readonly kind: 'start' | 'end' | 'wordStart' | 'wordEnd' | 'boundary'; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'match' }

const maximumSteps = 5000
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** A regular expression of PostgreSQL, without back references and look-around. @throws {CatalogError} 2201B */
export function regularExpression(pattern: string, ignoreCase: boolean): Matcher {
  let at = 0
  const source = pattern.startsWith('***:') ? pattern.slice(4) : pattern
  const steps: Step[] = []
  const invalid = (what: string) => new CatalogError('2201B', `invalid regular expression: ${what}`)
  const add = (step: Step): number => {
    if (steps.length >= maximumSteps) throw invalid('regular expression is too complex')
    return steps.push(step) - 1
  }
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)

  /** Parts are compiled from the end to the beginning: each knows where it goes on. */
  type Part = (next: number) => number
  const alternatives = parseAlternatives(0)
  if (at < source.length) throw invalid('parentheses () not balanced')
  const begin = alternatives(add({ kind: 'match' }))
  return text => simulate(steps, begin, fold(text))

  function parseAlternatives(depth: number): Part {
    if (depth > 50) throw invalid('regular expression is too complex')
    const parts = [parseSequence(depth)]
    while (source[at] === '|') {
      at += 1
      parts.push(parseSequence(depth))
    }
    return next =>
      parts.map(part => part(next)).reduceRight((other, first) => add({ kind: 'split', next: first, other }))
  }
  function parseSequence(depth: number): Part {
    const parts: Part[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseRepeated(depth))
    return next => parts.reduceRight((after, part) => part(after), next)
  }
  function parseRepeated(depth: number): Part {
    const part = parseAtom(depth)
    let result = part
    for (;;) {
      const repeat = readRepeat()
      if (!repeat) return result
      const inner = result
      result = next => repeatPart(inner, repeat.least, repeat.most, next)
    }
  }
  function readRepeat(): { least: number; most: number } | undefined {
    const known = { '*': [0, Number.POSITIVE_INFINITY], '+': [1, Number.POSITIVE_INFINITY], '?': [0, 1] }[
      source[at] ?? ''
    ]
    const braces = known ? null : /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(source.slice(at, at + 12))
    if (!known && !braces) return undefined
    at += braces ? braces[0].length : 1
    // Greedy or not makes no difference to whether there is a match.
    if (source[at] === '?') at += 1
    if (known) return { least: known[0] ?? 0, most: known[1] ?? 0 }
    const least = Number(braces?.[1])
    const most = braces?.[2] === undefined ? least : braces[3] === '' ? Number.POSITIVE_INFINITY : Number(braces[3])
    if (most < least || least > 255) throw invalid('invalid repetition count(s)')
    return { least, most }
  }
  function repeatPart(part: Part, least: number, most: number, next: number): number {
    let entry = next
    if (most === Number.POSITIVE_INFINITY) {
      const split: Step & { kind: 'split' } = { kind: 'split', next: -1, other: next }
      entry = add(split)
      split.next = part(entry)
    } else {
      for (let count = least; count < most; count += 1) entry = add({ kind: 'split', next: part(entry), other: next })
    }
    for (let count = 0; count < least; count += 1) entry = part(entry)
    return entry
  }
  function parseAtom(depth: number): Part {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0)
    at += character.length
    if (character === '(') return parseGroup(depth)
    if (character === '[') return one(parseClass())
    if (character === '.') return one(() => true)
    if (character === '^') return next => add({ kind: 'start', next })
    if (character === '$') return next => add({ kind: 'end', next })
    if (character === '\\') return parseEscape()
    if (character === '*' || character === '+' || character === '?') throw invalid('quantifier operand invalid')
    return one(literal(character))
  }
  function parseGroup(depth: number): Part {
    if (source[at] === '?') {
      if (source[at + 1] !== ':') throw invalid('look-around is not supported')
      at += 2
    }
    const inner = parseAlternatives(depth + 1)
    if (source[at] !== ')') throw invalid('parentheses () not balanced')
    at += 1
    return inner
  }
  function one(test: (character: string) => boolean): Part {
    return next => add({ kind: 'character', test, next })
  }
  function literal(character: string) {
    const folded = fold(character)
    return (other: string) => other === folded
  }
  function parseEscape(): Part {
    const letter = source[at] ?? ''
    at += 1
    const place = ({ m: 'wordStart', M: 'wordEnd', y: 'boundary', A: 'start', Z: 'end' } as const)[letter]
    if (place) return next => add({ kind: place, next })
    const set = classEscape(letter)
    if (set) return one(set)
    if (/[1-9]/.test(letter)) throw invalid('back references are not supported')
    const control = ({ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', e: '\u001b' } as const)[letter]
    if (control) return one(literal(control))
    if (letter === '' || /[A-Za-z]/.test(letter)) throw invalid('invalid escape \\ sequence')
    return one(literal(letter))
  }
  function classEscape(letter: string): ((character: string) => boolean) | undefined {
    const expression = (
      { d: /\p{Nd}/u, D: /\P{Nd}/u, s: /\s/, S: /\S/, w: /[\p{L}\p{N}_]/u, W: /[^\p{L}\p{N}_]/u } as const
    )[letter]
    return expression && (character => expression.test(character))
  }
  function parseClass(): (character: string) => boolean {
    const negated = source[at] === '^'
    if (negated) at += 1
    const tests: ((character: string) => boolean)[] = []
    for (let first = true; first || source[at] !== ']'; first = false) {
      if (at >= source.length) throw invalid('brackets [] not balanced')
      tests.push(parseClassItem())
    }
    at += 1
    return character => tests.some(test => test(character)) !== negated
  }
  function parseClassItem(): (character: string) => boolean {
    const named = /^\[:(\w+):\]/.exec(source.slice(at, at + 14))
    if (named) {
      at += named[0].length
      const expression = {
        alpha: /\p{L}/u,
        digit: /\p{Nd}/u,
        alnum: /[\p{L}\p{N}]/u,
        space: /\s/,
        upper: /\p{Lu}/u,
        lower: /\p{Ll}/u,
        punct: /[!-/:-@[-`{-~]/,
        blank: /[ \t]/,
        xdigit: /[0-9A-Fa-f]/,
        word: /[\p{L}\p{N}_]/u,
      }[named[1] ?? '']
      if (!expression) throw invalid('invalid character class')
      return character => expression.test(character)
    }
    const low = readClassCharacter()
    if (typeof low !== 'string') return low
    if (source[at] !== '-' || source[at + 1] === ']' || at + 1 >= source.length) return literal(low)
    at += 1
    const high = readClassCharacter()
    if (typeof high !== 'string' || high < low) throw invalid('invalid character range')
    return character =>
      (character >= low && character <= high) ||
      (ignoreCase && character.toUpperCase() >= low && character.toUpperCase() <= high)
  }
  function readClassCharacter(): string | ((character: string) => boolean) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0)
    at += character.length
    if (character !== '\\') return character
    const letter = source[at] ?? ''
    at += 1
    return classEscape(letter) ?? ({ n: '\n', t: '\t', r: '\r' } as const)[letter] ?? letter
  }
}

/** Follows all ways through the steps at once. */
function simulate(steps: readonly Step[], begin: number, text: string): boolean {
  const characters = [...text]
  let current = new Set<number>()
  for (let at = 0; at <= characters.length; at += 1) {
    if (follow(begin, at, current)) return true
    const next = new Set<number>()
    const character = characters[at]
    if (character === undefined) return false
    for (const index of current) {
      const step = steps[index]
      if (step?.kind === 'character' && step.test(character) && follow(step.next, at + 1, next)) return true
    }
    current = next
  }
  return false

  function follow(first: number, at: number, into: Set<number>): boolean {
    const waiting = [first]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (into.has(index)) continue
      into.add(index)
      const step = steps[index]
      if (!step || step.kind === 'character') continue
      if (step.kind === 'match') return true
      if (step.kind === 'split') waiting.push(step.other, step.next)
      else if (isAt(step.kind, at)) waiting.push(step.next)
    }
    return false
  }
  function isAt(kind: 'start' | 'end' | 'wordStart' | 'wordEnd' | 'boundary', at: number): boolean {
    if (kind === 'start') return at === 0
    if (kind === 'end') return at === characters.length
    const [before, after] = [isWord(characters[at - 1]), isWord(characters[at])]
    if (kind === 'boundary') return before !== after
    return kind === 'wordStart' ? !before && after : before && !after
  }
}

/** A pattern of LIKE. */
export function likePattern(pattern: string, ignoreCase: boolean): Matcher {
  const tokens: ({ any: true } | { one: true } | { character: string })[] = []
  const characters = [...(ignoreCase ? pattern.toLowerCase() : pattern)]
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]
    if (character === '%') tokens.push({ any: true })
    else if (character === '_') tokens.push({ one: true })
    else if (character === '\\') {
      at += 1
      const escaped = characters[at]
      if (escaped === undefined) throw new CatalogError('22025', 'LIKE pattern must not end with escape character')
      tokens.push({ character: escaped })
    } else if (character !== undefined) tokens.push({ character })
  }
  return text => {
    const given = [...(ignoreCase ? text.toLowerCase() : text)]
    let [at, token, star, starAt] = [0, 0, -1, 0]
    while (at < given.length) {
      const expected = tokens[token]
      if (expected && 'any' in expected) {
        star = token
        starAt = at
        token += 1
      } else if (expected && ('one' in expected || ('character' in expected && expected.character === given[at]))) {
        at += 1
        token += 1
      } else if (star >= 0) {
        token = star + 1
        starAt += 1
        at = starAt
      } else return false
    }
    return tokens.slice(token).every(rest => 'any' in rest)
  }
}
