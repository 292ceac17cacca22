/** Words whose form follows no rule, and words made of others by an ending that is no ending elsewhere (a department does not depart). */
const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  lives: 'life',
  paid: 'pay',
  payment: 'pay',
  payments: 'pay',
  sold: 'sell',
  spent: 'spend',
  flew: 'fly',
  flown: 'fly',
  bought: 'buy',
  went: 'go',
  left: 'leave',
  shipment: 'ship',
  shipments: 'ship',
  treatment: 'treat',
  treatments: 'treat',
  enrollment: 'enrol',
  enrolled: 'enrol',
  departure: 'depart',
  departures: 'depart',
  arrival: 'arrive',
  arrivals: 'arrive',
  cancellation: 'cancel',
  cancellations: 'cancel',
  cancelation: 'cancel',
  canceled: 'cancel',
  admission: 'admit',
  admissions: 'admit',
  registration: 'register',
  registrations: 'register',
  conversion: 'convert',
  conversions: 'convert',
  subscription: 'subscribe',
  subscriptions: 'subscribe',
  delivery: 'deliver',
  deliveries: 'deliver',
  return: 'return',
  avg: 'average',
  mean: 'average',
  pct: 'percent',
  percentage: 'percent',
  percentages: 'percent',
  qty: 'quantity',
  rental: 'rent',
  rentals: 'rent',
  rented: 'rent',
  withdrawal: 'withdraw',
  withdrawals: 'withdraw',
  withdrew: 'withdraw',
  withdrawn: 'withdraw',
  renewal: 'renew',
  renewals: 'renew',
  approval: 'approve',
  approvals: 'approve',
  referral: 'refer',
  referrals: 'refer',
  km: 'kilometre',
  kms: 'kilometre',
  kilometer: 'kilometre',
  kilometers: 'kilometre',
  meter: 'metre',
  meters: 'metre',
  mins: 'minute',
  hr: 'hour',
  hrs: 'hour',
  max: 'maximum',
  min: 'minimum',
}

/** They end like a form of another word and are words of their own. */
const fixed = new Set(
  'rating booking building meeting listing pricing string ring king spring evening morning bed red need speed feed seed shed business address process access status bus gas plus is was this series news species analysis basis always less unless across'.split(
    ' ',
  ),
)

const vowel = /[aeiouy]/

/** `shipp` to `ship`; `ss`, `ll` of `sell` stay since short words keep their form. */
function undoubled(word: string): string {
  const last = word.at(-1)
  return word.length > 4 - 1 && last === word.at(-2) && last !== undefined && !'aeiousz'.includes(last)
    ? word.slice(0, -1)
    : word
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || fixed.has(word) || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

function base(word: string): string {
  if (fixed.has(word)) return word
  for (const ending of ['ing', 'ed']) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length >= 3 && vowel.test(rest)) return undoubled(rest)
  }
  return word
}

/**
 * What forms of a word have in common, for comparing words with each other; no word to show. English, by few rules: plurals, `-ed`,
 * `-ing`, and a table of what follows none.
 */
export function stem(word: string): string {
  const known = irregular[word]
  const one = singular(known ?? word)
  const found = known === undefined ? (irregular[one] ?? base(one)) : known
  const ended = found.length > 3 && found.endsWith('e') ? found.slice(0, -1) : found
  return ended.length > 2 && ended.endsWith('y') ? `${ended.slice(0, -1)}i` : ended
}
