import { type DialectName, dialectNames } from '@hedron/semantic'

/** What a type of data source speaks. Types that speak as another one does have no dialect of their own. */
export const dialectOf = (type: string): DialectName => dialectNames.find(name => name === type) ?? 'postgres'
