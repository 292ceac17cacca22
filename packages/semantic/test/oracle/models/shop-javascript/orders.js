import { statuses } from './statuses.js'

const amountOf = status => ({
  [`${status}Total`]: {
    sql: () => `amount`,
    type: `sum`,
    filters: [{ sql: CUBE => `${CUBE}.status = '${status}'` }],
  },
})

cube(`orders`, {
  sql: `SELECT * FROM orders WHERE id > 0`,

  joins: {
    customers: {
      relationship: `belongsTo`,
      sql: `${CUBE}.customer_id = ${customers}.id`,
    },
  },

  dimensions: {
    id: { sql: `id`, type: `number`, primaryKey: true },
    status: { sql: `status`, type: `string` },
    createdAt: { sql: `created_at`, type: `time` },
    buyer: { sql: `coalesce(${customers.city}, 'nobody')`, type: `string` },
    size: {
      type: `string`,
      case: {
        when: [{ sql: `${CUBE}.amount > 50`, label: `large` }],
        else: { label: `small` },
      },
    },
  },

  measures: {
    count: { type: `count`, drillMembers: [id, status] },
    total: { sql: `amount`, type: `sum`, format: `currency` },
    mean: { sql: `${total} / NULLIF(${count}, 0)`, type: `number` },
    ...Object.assign({}, ...statuses.map(amountOf)),
  },

  segments: { large: { sql: `${CUBE.size} = 'large'` } },
})
