/**
 * Functions of Vega's expression language (vega.github.io/vega/docs/expressions) and those that Vega-Lite writes into the charts that
 * it makes. What Vega does not know it refuses itself; who draws with something else may not.
 */
const functions = new Set(
  `abs acos asin atan atan2 bandspace bandwidth ceil clamp clampRange containerSize contrast copy cos cumulativeLogNormal
  cumulativeNormal cumulativeUniform data datasets date datetime day dayAbbrevFormat dayFormat dayofyear debug densityLogNormal
  densityNormal densityUniform domain encode exp extent find flush floor format geoArea geoBounds geoCentroid geoScale geoShape
  gradient group hcl hours hsl hypot if inScope inTypes indata indexof info inrange intersect intersectLasso invert isArray isBoolean
  isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid item join lab lassoAppend lassoPath lastindexof
  length lerp log lower luminance max merge milliseconds min minutes modify month monthAbbrevFormat monthFormat now pad panLinear
  panLog panPow panSymlog parseFloat parseInt pathShape peek pinchAngle pinchDistance pluck pow quantileLogNormal quantileNormal
  quantileUniform quarter random range regexp replace reverse rgb round sampleLogNormal sampleNormal sampleUniform scale screen
  seconds sequence setdata sin slice sort span split sqrt substring tan test time timeFormat timeOffset timeParse timeSequence
  timeUnitSpecifier timezoneoffset toBoolean toDate toNumber toString treeAncestors treePath trim truncate upper utc utcFormat utcOffset
  utcParse utcSequence utcdate utcday utcdayofyear utchours utcmilliseconds utcminutes utcmonth utcquarter utcseconds utcweek utcyear
  vlSelectionIdTest vlSelectionResolve vlSelectionTest vlSelectionTuples warn week windowSize x xy y year zoomLinear zoomLog zoomPow
  zoomSymlog`.split(/\s+/),
)

/** Members through which an expression would come to the page or to the constructor of functions. */
const members = new Set([
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  'view',
  'dataflow',
])

const words = new Set([
  'function',
  'class',
  'new',
  'this',
  'import',
  'await',
  'async',
  'yield',
  'return',
  'let',
  'const',
  'var',
])

const longest = 10_000

const tokens =
  /\s+|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0[xX][\da-fA-F]+)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<mark>=>|\+\+|--|[=!]==?|<<|>>>?|<=|>=|&&|\|\||[-+*/%<>&|^~!?:.,()[\]{}=;`@#\\])|(?<other>.)/gsuy

/**
 * Why a text is more than an expression of Vega: one value, made of names, members and the language's functions. Nothing is
 * assigned, no function is made, none is called but by the names of the language.
 *
 * @returns null for an expression; otherwise what is wrong, as the end of a sentence.
 */
export function findExpressionProblem(text: string): string | null {
  if (text.length > longest) return `an expression has at most ${longest} characters`
  let before: { readonly kind: string; readonly token: string } = { kind: '', token: '' }
  for (const match of text.matchAll(tokens)) {
    const { text: quoted, number, name, mark, other } = match.groups ?? {}
    const token = quoted ?? number ?? name ?? mark ?? other
    if (token === undefined) continue
    const kind = quoted !== undefined ? 'text' : name !== undefined ? 'name' : mark !== undefined ? 'mark' : 'value'
    if (other !== undefined) return `${show(token)} is not part of an expression of Vega`
    if (mark !== undefined && refused.has(mark)) return `${show(token)} is not part of an expression of Vega`
    if (name !== undefined && words.has(name) && before.token !== '.') {
      return `${show(token)} is not part of an expression of Vega`
    }
    const isMember = before.token === '.' && kind === 'name'
    if (isMember && members.has(token)) return `an expression of Vega has no use for ${show(token)}`
    if (kind === 'text' && members.has(unescaped(token))) return `an expression of Vega has no use for ${token}`
    if (kind === 'name' && !isMember && members.has(token) && token !== 'view' && token !== 'dataflow') {
      return `an expression of Vega has no use for ${show(token)}`
    }
    if (token === '(') {
      if (before.token === ')' || before.token === ']' || before.kind === 'text' || before.kind === 'member') {
        return 'an expression of Vega calls only functions of its language'
      }
      if (before.kind === 'name' && !functions.has(before.token)) {
        return `${show(before.token)} is not a function of Vega's expressions`
      }
    }
    before = { kind: isMember ? 'member' : kind, token }
  }
  return null
}

const refused = new Set(['=>', '++', '--', '=', ';', '`', '@', '#', '\\'])

const show = (token: string) => JSON.stringify(token)

/** A quoted text without its quotes, with its escapes read; what cannot be read could be anything. */
function unescaped(quoted: string): string {
  const inner = quoted.slice(1, -1)
  if (!inner.includes('\\')) return inner
  return inner.replace(/\\(?:u\{?([\da-fA-F]+)\}?|x([\da-fA-F]{2})|(.))/gs, (_, unicode, hex, plain: string) => {
    const code: string | undefined = unicode ?? hex
    return code === undefined ? plain : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
  })
}
