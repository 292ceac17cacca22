view(`placed`, {
  cubes: [
    { joinPath: () => orders, includes: `*`, excludes: [`id`] },
    { joinPath: () => orders.customers, prefix: true, includes: [`city`, { name: `count`, alias: `people` }] },
  ],
})
