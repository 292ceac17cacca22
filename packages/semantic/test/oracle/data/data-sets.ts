import type { DataSet } from '../support/data-set.ts'
import { billing } from './billing.ts'
import { events } from './events.ts'
import { finance } from './finance.ts'
import { hospital } from './hospital.ts'
import { shop } from './shop.ts'
import { travel } from './travel.ts'

export const dataSets: readonly DataSet[] = [shop, events, finance, hospital, billing, travel]
