/** Why a pre-aggregation does not answer a query, by code, as a sentence for whoever asks why. */
const table = {
  kept_dialect: ({ cube, dialect }: { cube: string; dialect: string }) =>
    `the SQL of '${cube}' is that of ${dialect}, which the engine of kept rows may compute otherwise`,
  kept_tables: ({ member }: { member: string }) => `'${member}' reads tables or files, which are not beside kept rows`,
  kept_other: ({ cube }: { cube: string }) => `the query also reads '${cube}', whose rows are not kept`,
  kept_sources: (_: object) => 'the query reads several data sources',
  ungrouped: (_: object) => 'ungrouped queries are answered from source rows',
  facts: (_: object) => 'the query puts several facts side by side',
  not_joined: ({ reason }: { reason: string }) => `its own members can't be joined: ${reason}`,
  place: ({ member, query, rollup }: { member: string; query: string; rollup: string }) =>
    `'${member}' is reached as ${query} by the query, and as ${rollup} in the rollup`,
  cube: ({ cube }: { cube: string }) => `the query joins '${cube}', which the rollup does not`,
  dimension: ({ member }: { member: string }) => `it does not have the dimension '${member}'`,
  granularity: ({ member, granularity, known }: { member: string; granularity: string; known: string }) =>
    `it has '${member}' by ${known}, from which ${granularity} can't be made`,
  filter: ({ member }: { member: string }) => `the query filters '${member}', which it does not have`,
  range: ({ member, granularity }: { member: string; granularity: string }) =>
    `the date range of '${member}' does not begin and end with a whole ${granularity}`,
  raw_filter: ({ member, operator }: { member: string; operator: string }) =>
    `'${operator}' on '${member}' needs source rows`,
  segment: ({ member }: { member: string }) => `it does not have the segment '${member}'`,
  measure: ({ member }: { member: string }) => `it does not have the measure '${member}'`,
  not_additive: ({ member, type }: { member: string; type: string }) =>
    `'${member}' (${type}) can't be added up, and the query's groups are not those of the rollup`,
  repeated: ({ member }: { member: string }) =>
    `joins of the rollup repeat the rows of '${member}', and the query's groups are not those of the rollup`,
  computed: ({ member }: { member: string }) => `'${member}' is calculated over other rows than those of its group`,
  shifted: ({ member }: { member: string }) =>
    `the query counts rows by '${member}' at another time than their own, which the steps of the rollup can't be moved to`,
  window_rows: ({ member }: { member: string }) =>
    `'${member}' gathers single rows around each period, because values of shorter periods can't be added up`,
  staged_dimension: ({ member }: { member: string }) =>
    `'${member}' is computed from groups of rows, and each row is joined to its own`,
  request: ({ cube }: { cube: string }) =>
    `'${cube}' reads other rows for other callers or filters, and a rollup is built without either`,
  masked: ({ member }: { member: string }) => `'${member}' is masked for this caller, row by row`,
  policy: ({ source }: { source: string }) =>
    `this caller sees some rows of '${source}' only, and the rollup can't tell them apart`,
  foreign_sql: ({ member, dialect }: { member: string; dialect: string }) =>
    `'${member}' is calculated by SQL of ${dialect}, which the engine of the rollups may compute otherwise`,
  moment: ({ member }: { member: string }) =>
    `'${member}' is kept to the millisecond, and the source may have finer times`,
  collation: ({ member, dialect }: { member: string; dialect: string }) =>
    `${dialect} compares or orders the texts of '${member}' by its collation, which the engine of the rollups does not have`,
  collation_rule: ({ dialect }: { dialect: string }) =>
    `a policy of this caller compares values, as ${dialect} does by its collation`,
  join_root: ({ cube }: { cube: string }) => `none of its rollups begins with '${cube}', with which its joins begin`,
  join_unused: ({ rollup }: { rollup: string }) => `no join of it leads to the first cube of its rollup '${rollup}'`,
  join_twice: ({ cube }: { cube: string }) => `'${cube}' is in more than one of its rollups`,
  join_cube: ({ cube }: { cube: string }) => `none of its rollups has '${cube}'`,
  join_repeats: ({ rollup }: { rollup: string }) =>
    `its rollup '${rollup}' may have several rows for one that it is joined to: it has to have the primary key of its first cube, and joins to one row alone`,
  join_condition: ({ from, to }: { from: string; to: string }) =>
    `the join of '${from}' to '${to}' says something else than that dimensions of one type are the same`,
  join_key: ({ member }: { member: string }) => `its rollups are joined by '${member}', which its rollup does not have`,
  join_computed: ({ member }: { member: string }) =>
    `'${member}' is not a plain column of a table, so that it may have a value where nothing is joined`,
  other_members: (_: object) => 'its rollups do not hold the same members',
  lambda_time: (_: object) => 'it has no time dimension by which its rollups follow each other',
}

type Table = typeof table
export type MissCode = keyof Table
type AllDetails = { [C in MissCode]: Parameters<Table[C]>[0] }
const messages: { [C in MissCode]: (details: AllDetails[C]) => string } = table

/** One reason; several can hold, and the first found is told. */
export interface RollupMiss {
  readonly code: MissCode
  readonly reason: string
}

export const rollupMiss = <C extends MissCode>(code: C, details: AllDetails[C]): RollupMiss => ({
  code,
  reason: messages[code](details),
})
