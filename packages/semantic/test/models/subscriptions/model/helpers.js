export const amount = column => ({
  sql: () => column,
  type: `sum`,
})

export const isNull = column => `${column} IS NULL`
