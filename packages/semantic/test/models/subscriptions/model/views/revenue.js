view(`revenue`, {
  description: `Money and seats by plan`,

  cubes: [
    {
      joinPath: () => Subscriptions,
      includes: [`count`, `seats`, `churnRate`, `startedAt`, `active`],
    },
    {
      joinPath: () => Subscriptions.Plans,
      prefix: true,
      includes: [`name`],
    },
    {
      joinPath: () => Subscriptions.Invoices,
      includes: [`amount`, `unpaid`, `issuedAt`],
    },
  ],

  folders: [
    {
      name: `Money`,
      includes: [`amount`, `unpaid`],
    },
  ],
})
