import type { Mark } from './mark.ts'

const forms = (verbs: string, words: string) =>
  verbs
    .split(' ')
    .flatMap(verb => words.split('|').map(word => `${verb} ${word}`))
    .join('|')

const weekend = [6, 7]
const workdays = [1, 2, 3, 4, 5]
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Words of days that come again each week. A bare `Monday` could be one of them or the last one: it is not read. */
const days: readonly (readonly [string, Mark])[] = [
  [
    `weekend|weekends|on weekends|on the weekend|on a weekend|at weekends|at the weekend|on the weekends|during weekends|during the weekend`,
    { kind: 'days', days: weekend },
  ],
  [
    'on weekdays|during weekdays|during the week|only weekdays|weekdays only|workdays|on workdays|working days|on working days|business days|on business days',
    { kind: 'days', days: workdays },
  ],
  ...names.map((name, index): readonly [string, Mark] => [
    `${name}s|on ${name}s|on a ${name}`,
    { kind: 'days', days: [index + 1] },
  ]),
]

/** Words that ask how something went on: did it become more or less? */
const course = [
  forms(
    'get gets got getting gotten become becomes became becoming',
    'worse|better|better or worse|worse or better|higher or lower|lower or higher|longer or shorter|shorter or longer|longer|shorter|higher|lower|bigger|smaller|larger|cheaper|faster|slower|more expensive|more frequent|less frequent',
  ),
  forms('go goes went going gone', 'up|down|up or down|down or up'),
  'up|down|up or down|down or up|upward|downward|upwards|downwards|grown|gone up or down',
  'improve|improves|improved|improving|worsen|worsens|worsened|worsening|deteriorate|deteriorates|deteriorated|deteriorating',
  'rising|falling|rising or falling|falling or rising|increasing|decreasing|increasing or decreasing|shrinking|on the rise|in decline',
].join('|')

const length = 'length'
const price = 'price'

/** Marks without numbers in them, and the words that are them. */
export const furtherMarks: readonly (readonly [words: string, mark: Mark])[] = [
  ...days,
  [course, { kind: 'course' }],
  ['on average', { kind: 'onAverage' }],
  ['everything but|everything except|everything other than|all but|anything but|everyone but', { kind: 'not' }],
  ['most expensive|priciest|costliest|dearest', { kind: 'extreme', property: price, descending: true, count: null }],
  ['cheapest|least expensive', { kind: 'extreme', property: price, descending: false, count: null }],
  ['longest', { kind: 'extreme', property: length, descending: true, count: null }],
  ['shortest', { kind: 'extreme', property: length, descending: false, count: null }],
]
