cube(`customers`, {
  sqlTable: `customers`,
  dimensions: {
    id: { sql: `id`, type: `number`, primaryKey: true },
    city: { sql: `city`, type: `string` },
  },
  measures: { count: { type: `count` } },
})
