import { stem } from './stem.ts'

const list = (words: string) => new Set(words.split(/\s+/))

/** Words that a question can do without: what they say is said by the others, or is politeness. */
export const stopWords = list(
  `a an the of is are was were be been being am do does did doing done have has had having i we you he she they me my our us your his her
  their them it its itself please show display give tell get fetch find see view look want need would like could can let lets
  s t re ve ll d what which who whom whose how when where much many there that those these this here as at to in on for with from into
  and or nor but then so if also just ok okay hi hello hey thanks thank pls plz kindly some any all ones one's us know about list present
  make made happen happened occur occurred exist existed got during within per by each every data number numbers figure figures
  overall altogether respectively versus vs out up down off over under than now question answer report chart graph plot
  help wonder wondering curious interested love kind sort type exactly actually really currently ever whole entire entirely came come comes coming go goes going went gone one instead same looking doing performing values value`,
)

/** Units and words that names of members carry along: `Delay in minutes` is the delay. */
export const weakNameWords = new Set(
  `minute second hour day week month year mile kilometer kilometre km meter metre kg usd eur gbp dollar euro percent name total number count sum of in the a an per by for and
  at on date time timestamp datetime flag is has was are id to`
    .split(/\s+/)
    .map(stem),
)

/** Words that many names carry and none is known by: a part of a name that is one of them alone names nothing. */
export const vagueNameWords = new Set(
  'first second third last next new old early late total average mean maximum minimum rate share percent ratio status group level size code value kind type gross net main longest shortest highest lowest biggest smallest largest greatest best worst latest earliest long short high low big small large great peak busy cheap expensive fly drive travel make take use spend pay close do ship send other own full part active open current previous'
    .split(' ')
    .map(stem),
)

/** Words that may stand beside a name without being part of it: `customer type` of the kind of a customer. */
export const fillerWords = new Set([
  ...weakNameWords,
  ...'type kind amount value number code figure level'.split(' ').map(stem),
])

/** Units that money is counted in. */
export const currencyWords = new Set('dollar euro pound usd eur gbp buck'.split(' ').map(stem))

/** Names of what is measured that say which unit a number is in: `more than 60 minutes`. */
export const unitWords = new Set(
  'minute second hour day week month year mile kilometer kilometre km meter metre kg usd eur gbp dollar euro pound buck percent point star unit item piece time'
    .split(' ')
    .map(stem),
)

const groups = [
  'revenue turnover',
  'customer client buyer shopper',
  'quantity unit',
  'employee worker staff',
  'product item article',
  'category kind',
  'share percent proportion fraction portion rate ratio',
  'doctor physician',
  'department ward',
  'spend expense expenditure spending',
  'profit earnings',
  'vendor supplier',
  'airline carrier',
  'longest maximum highest greatest biggest largest',
  'shortest minimum lowest smallest',
]

/** Words that often mean the same, by stem. They lose against the word itself, and two that could be meant are asked about. */
export const nearWords: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const near = new Map<string, Set<string>>()
  for (const group of groups) {
    const stems = group.split(' ').map(stem)
    for (const one of stems) {
      const others = near.get(one) ?? new Set()
      for (const other of stems) if (other !== one) others.add(other)
      near.set(one, others)
    }
  }
  return near
})()

/** All of them mean a part of a whole. */
export const shareWords = new Set('share percent proportion fraction portion rate ratio'.split(' ').map(stem))

/** Verbs of going that no name of the model has to explain: `flights arriving in Seattle`. */
export const directionVerbs = new Set(
  'leave leaving left depart departing departed arrive arriving arrived land landing landed originate originating head heading headed bound'.split(
    ' ',
  ),
)

/** Words of going from and to somewhere, by stem: `from Chicago` is meant of the origin. */
export const directionWords: ReadonlyMap<string, 'from' | 'to'> = new Map([
  ...'from origin source start depart sender leave out pickup begin originate'
    .split(' ')
    .map(word => [stem(word), 'from'] as const),
  ...'to into destination target end arrive receiver toward dropoff land bound head'
    .split(' ')
    .map(word => [stem(word), 'to'] as const),
])
