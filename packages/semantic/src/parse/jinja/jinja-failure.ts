/** Why a template could not be rendered, and where. */
export interface JinjaFailure {
  readonly kind: 'syntax' | 'undefined' | 'unknown' | 'template_missing' | 'endless' | 'too_large' | 'other'
  /** The engine's own words, without the place. */
  readonly reason: string
  /** The name that is at fault, where there is one: a variable, function, filter or template. */
  readonly name: string | null
  readonly template: string | null
  readonly line: number | null
  readonly column: number | null
}

/** Reads the engine's message: one line with the template's name, then a drawing of the lines around the place. */
export function readFailure(error: unknown, columnShift: (template: string, line: number) => number): JinjaFailure {
  if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return { kind: 'too_large', reason: '', name: null, template: null, line: null, column: null }
  }
  const [first = '', ...drawing] = error.message.split('\n')
  const [, said = first, template = null, lineText] = /^(.*) \(in (.*):(\d+)\)$/s.exec(first) ?? []
  const line = lineText === undefined ? null : Number(lineText)
  const marked = line === null || template === null ? null : markedText(drawing, line)
  const column = marked && template !== null && line !== null ? marked.column - columnShift(template, line) : null
  const place = { template, line, column: column !== null && column > 0 ? column : null }
  const [kind, name] = classify(said, marked?.text ?? null)
  return { kind, name, reason: said, ...place }
}

/** What the drawing underlines: `  3 > {{ foo }}` and below it `    i    ^^^`. */
function markedText(drawing: readonly string[], line: number): { text: string; column: number } | null {
  const start = `${String(line).padStart(4)} > `
  const index = drawing.findIndex(text => text.startsWith(start))
  const source = drawing[index]
  const [, before, marks] = /^(\s+i\s+)(\^+)/.exec(drawing[index + 1] ?? '') ?? []
  if (source === undefined || before === undefined || marks === undefined) return null
  return {
    text: source.slice(before.length, before.length + marks.length),
    column: before.length - start.length + 1,
  }
}

function classify(said: string, marked: string | null): [JinjaFailure['kind'], string | null] {
  if (/fuel/.test(said)) return ['endless', null]
  if (/recursion limit/.test(said) && !said.startsWith('syntax error')) return ['endless', null]
  if (said.startsWith('syntax error')) return ['syntax', null]
  if (said.startsWith('undefined value')) return ['undefined', marked]
  const [, unknown] = /^unknown (?:function|filter|test): (?:filter |test )?(\S+) is unknown/.exec(said) ?? []
  if (unknown) return ['unknown', unknown]
  const [, missing] = /^template not found: .*?"(.*)"/.exec(said) ?? []
  return missing === undefined ? ['other', null] : ['template_missing', missing]
}
