// One shape: what agents search is what the analyst's questions are made of.
export type {
  AnalystCube as VisibleCube,
  AnalystMember as VisibleMember,
  AnalystModel as VisibleModel,
} from '@hedron/analyst'
