import type { AnswerGraphql, GraphqlNeeds } from './answer-graphql.ts'

/** The operations of GraphQL. What they are made of is loaded by the first document: few deployments are asked any. */
export function loadGraphql(need: GraphqlNeeds) {
  let loading: Promise<AnswerGraphql> | undefined
  const operations = () => {
    loading ??= import('./answer-graphql.ts').then(({ createAnswerGraphql }) => createAnswerGraphql(need))
    return loading
  }
  const graphql: AnswerGraphql['answer'] = async (...request) => (await operations()).answer(...request)
  const graphqlToJson: AnswerGraphql['toJson'] = async (...request) => (await operations()).toJson(...request)
  return { graphql, graphqlToJson }
}
