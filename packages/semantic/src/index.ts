/** All that others may use of the semantic engine. */
export { checkAgents } from './agents/check-agents.ts'
export { type AgentsResult, agentsLimits, readAgents } from './agents/read-agents.ts'
export {
  type CheckAuthEngine,
  type CheckAuthOutcome,
  type CheckAuthRequest,
  loadCheckAuthEngine,
} from './authentication/check-auth-engine.ts'
export {
  compileKeptRead,
  compileKeptRows,
  type KeptTables,
  keepsUsableRows,
  type WantedRows,
} from './compile-kept-rows.ts'
export { type CompileOptions, type CompileResult, compileModel } from './compile-model.ts'
export { compileQuery, compileRefreshKeys } from './compile-query.ts'
export {
  type CompiledRollup,
  compileRollupBuild,
  compileRollupRange,
  compileRollupRead,
  compileRollupSql,
  keptRowsOf,
  matchRollup,
  type RollupSteps,
  rollupPartitioning,
  rollupSteps,
} from './compile-rollup.ts'
export { explainQuery } from './explain/explain-query.ts'
export type { Explanation } from './explain/explanation.ts'
export { describeRollupNeeds, type RollupNeeds } from './explain/rollup-needs.ts'
export { didYouMean } from './messages/near-names.ts'
export { QueryError, type QueryErrorCode } from './messages/query-messages.ts'
export { annotateQuery } from './meta/annotate-query.ts'
export { describeExtended } from './meta/describe-extended.ts'
export { describeModel } from './meta/describe-model.ts'
export { type DescribedPreAggregation, describePreAggregations } from './meta/describe-pre-aggregation.ts'
export { describeViewGroups } from './meta/describe-view-groups.ts'
export { type CodeEngines, loadCodeEngines } from './parse/code-engines.ts'
export { isModelFile } from './parse/parse-file.ts'
export type { ParseCache } from './parse/parse-files.ts'
export type { FoundRollup } from './plan/rollups/find-rollup.ts'
export type { Considered, FoundPart } from './plan/rollups/found-part.ts'
export { localTimeOf, overlaps, type PartitionedRange, partitionEnd, partitionsOf } from './plan/rollups/partitions.ts'
export type { RollupBuild, RollupPartition } from './plan/rollups/plan-build.ts'
export type { RollupId } from './plan/rollups/rollup.ts'
export type { RollupFileSet, RollupPlace, RollupSection, RollupTable } from './plan/rollups/rollup-relation.ts'
export { type AdHocMember, type AdHocPart, withAdHocMembers } from './query/ad-hoc-members.ts'
export { addsUp } from './query/adds-up.ts'
export { checkQuery } from './query/check-query.ts'
export { type ExpandedQueries, expandQueries } from './query/expand-queries.ts'
export { type ListedMember, type ListedSource, type ListedSources, listSources } from './query/list-sources.ts'
export { normalizeQuery } from './query/normalize-query.ts'
export type {
  AgentConfig,
  AgentsConfig,
  CertifiedQueryConfig,
  EvalQuestion,
  RuleConfig,
  SkillConfig,
  SpaceConfig,
} from './shapes/agents.ts'
export {
  type CompiledQuery,
  type CompiledRefreshKey,
  type DialectName,
  dialectNames,
  type Parameter,
  type Statement,
} from './shapes/compiled.ts'
export type { AnnotatedMember, Annotation, MetaCube, MetaViewGroup } from './shapes/meta.ts'
export type { CheckAuth, Model, PreAggregation } from './shapes/model.ts'
export type { Column } from './shapes/plan.ts'
export {
  type CacheMode,
  cacheModes,
  type MaskDefaults,
  type NormalizedQuery,
  type NormalizeOptions,
  type QueryContext,
  type QueryFilter,
  type QueryType,
  type ResponseFormat,
  responseFormats,
} from './shapes/query.ts'
export type { Cell } from './shapes/rows.ts'
export type { ModelProblem, SourceFile } from './shapes/source.ts'
export { formatLocal, instantOf, isTimezone, localOf, parseIso } from './time/local-time.ts'
export { sinceLastStep } from './time/schedule.ts'
export { writeRows } from './write-rows.ts'
