import { amount, isNull } from './helpers.js'

cube(`Subscriptions`, {
  sql: `SELECT * FROM subscriptions`,

  refreshKey: {
    every: `1 hour`,
  },

  joins: {
    Plans: {
      relationship: `belongsTo`,
      sql: `${CUBE}.plan_id = ${Plans}.id`,
    },

    Invoices: {
      relationship: `hasMany`,
      sql: `${CUBE}.id = ${Invoices}.subscription_id`,
    },
  },

  measures: {
    count: {
      type: `count`,
      drillMembers: [customer, startedAt],
    },

    seats: amount(`seats`),

    ended: {
      type: `count`,
      filters: [{ sql: `${CUBE}.ended_at IS NOT NULL` }],
    },

    churnRate: {
      sql: `(100.0 * ${ended} / NULLIF(${count}, 0))`,
      type: `number`,
      format: `percent`,
    },
  },

  dimensions: {
    id: {
      sql: `id`,
      type: `number`,
      primaryKey: true,
    },

    customer: {
      sql: `customer`,
      type: `string`,
      title: `Customer's name`,
    },

    planName: {
      sql: `${Plans.name}`,
      type: `string`,
    },

    startedAt: {
      sql: `started_at`,
      type: `time`,
    },
  },

  segments: {
    active: {
      sql: isNull(`ended_at`),
    },
  },

  preAggregations: {
    main: {
      measures: [count, seats],
      dimensions: [customer],
      timeDimension: startedAt,
      granularity: `day`,
    },
  },
})
