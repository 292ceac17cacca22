cube(`Plans`, {
  sqlTable: `plans`,
  shown: true,

  dimensions: {
    id: { sql: `id`, type: `number`, primaryKey: true },
    name: { sql: `name`, type: `string` },
    price: { sql: `price`, type: `number`, format: `currency` },
  },

  measures: {
    count: { type: `count` },
  },
})

cube(`Invoices`, {
  sqlTable: `invoices`,

  dimensions: {
    id: { sql: `id`, type: `number`, primaryKey: true },
    issuedAt: { sql: `issued_at`, type: `time` },
  },

  measures: {
    count: { type: `count` },
    amount: { sql: `amount`, type: `sum`, format: `currency` },
    unpaid: { sql: `amount`, type: `sum`, filters: [{ sql: `${CUBE}.paid_at IS NULL` }] },
  },
})
