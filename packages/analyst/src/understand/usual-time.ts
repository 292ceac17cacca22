import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { isTime } from './choose-member.ts'

/** Words of times at which what rows are about begins, and at which it ends. */
const beginning =
  /(^|_)(created|ordered|occurred|happened|start|started|began|begin|opened|open|booked|sold|posted|placed|recorded|admitted|departed|picked|pickup|signed|joined|registered|requested|received|submitted|reported|sent|checked_in|check_in|hired|visited)(_|$)/
const usual = /^(date|time|timestamp)(_|$)/
const ending =
  /(^|_)(solved|closed|returned|ended|end|finished|discharged|delivered|shipped|arrived|resolved|completed|cancelled|canceled|refunded|expired|expires|due|left|dropped|paid|checked_out|check_out)(_|$)/
const upkeep = /(^|_)(updated|modified|deleted|loaded|synced|imported|inserted)(_|$)/

/**
 * The time that rows are known by where none is named: what they are about begins then. Several where it could be any.
 */
export function usualTime(source: Source): NamedMember | NamedMember[] | null {
  const own = source.ownMembers.filter(isTime)
  const [first] = own
  if (!first || own.length === 1) return first ?? null
  const nouns = new Set(source.nouns.flatMap(({ stems }) => [...stems]))
  const score = ({ column, phrases }: NamedMember) =>
    (beginning.test(column) || usual.test(column) ? 2 : 0) +
    (phrases.some(({ stems }) => [...stems].some(one => nouns.has(one))) &&
    /order|transaction|sale|visit|event/.test(column)
      ? 2
      : 0) -
    (ending.test(column) ? 1 : 0) -
    (upkeep.test(column) ? 5 : 0)
  const best = Math.max(...own.map(score))
  const left = own.filter(named => score(named) === best)
  const [chosen] = left
  return left.length === 1 && chosen ? chosen : left
}
