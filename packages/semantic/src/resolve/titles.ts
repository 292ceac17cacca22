/** Words that stay small inside a title. */
const small = new Set('and or nor a an the so but to of at by from into on onto off out in over with for'.split(' '))

/** Titles of the names met last: members of many cubes have the same names. */
const known = new Map<string, string>()
const keptTitles = 10_000

/** A title made from a name: `origin_airports` and `originAirports` give `Origin Airports`. */
export function titleOf(name: string): string {
  const found = known.get(name)
  if (found !== undefined) return found
  const title = makeTitle(name)
  if (known.size >= keptTitles) known.clear()
  known.set(name, title)
  return title
}

function makeTitle(name: string): string {
  const snake = /[A-Z]/.test(name) ? snakeCase(name) : name
  const words = snake
    .split('_')
    .filter(word => word !== '')
    .map(word => (small.has(word) ? word : capitalized(word)))
  return capitalized(words.join(' '))
}

const snakeCase = (name: string) =>
  name
    .replace(/([A-Z\d]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
