import type { SqlPlan } from '@hedron/sql'

/** How a statement is answered, a line a row: by which way, from which data sources, with which SQL. */
export function explainPlan({ kind, parts, statement }: SqlPlan): readonly string[] {
  const words = {
    regular: 'A question to the model',
    pushdown: 'Computed by the data source',
    post_processing: 'Computed by the embedded engine over what the parts give',
  }
  const own =
    kind === 'pushdown'
      ? []
      : parts.flatMap(({ name, compiled, query }) => [
          `  Part ${name} (data source ${compiled.dataSource}${query.ungrouped ? ', rows' : ', groups'})`,
          ...compiled.sql.split('\n').map(line => `    ${line}`),
        ])
  return [`${words[kind]} (${kind})`, ...own, ...(statement ? statement.sql.split('\n').map(line => `  ${line}`) : [])]
}
