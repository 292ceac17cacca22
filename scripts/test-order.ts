import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of more than half a minute, the longest first, as `npm test` prints them. One of them that began last would be waited for alone. Those that
 * compute stand between those that wait (`kill`, `lifecycle`, `first-start`, `users`), so that neither has the machine's cores to share with its like.
 */
const longest = [
  'acceptance/durability/kill.test.ts',
  'acceptance/pages/embed-faults.test.ts',
  'acceptance/durability/lifecycle.test.ts',
  'acceptance/platform-api/permissions.test.ts',
  'acceptance/set-up/users.test.ts',
  'acceptance/pages/embed-life.test.ts',
  'acceptance/durability/chat-kill.test.ts',
  'acceptance/pages/embed-creator.test.ts',
  'acceptance/rollups/use.test.ts',
  'acceptance/pages/embed-dashboard.test.ts',
  'acceptance/durability/first-start.test.ts',
  'acceptance/rollups/original-sql.test.ts',
  'acceptance/content/attack.test.ts',
  'acceptance/set-up/interrupted-set-up.test.ts',
  'acceptance/pages/device-login.test.ts',
  'acceptance/data-api/web-socket.test.ts',
  'acceptance/pages/embed-panels.test.ts',
  'acceptance/rollups/kill.test.ts',
  'acceptance/data-api/isolation.test.ts',
  'acceptance/dbt/restart.test.ts',
  'acceptance/platform-api/junk.test.ts',
  'acceptance/platform-api/another-account.test.ts',
  'acceptance/data-api/rights-everywhere.test.ts',
  'acceptance/pages/embed-switches.test.ts',
  'acceptance/chat/language-model.test.ts',
  'acceptance/rollups/docs.test.ts',
  'acceptance/rollups/lambda.test.ts',
  'acceptance/embedding/attack.test.ts',
  'acceptance/embedding/dashboard-comments.test.ts',
]

/** Vitest's own order (what failed, then what is large) behind the files that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex(path => moduleId.endsWith(`/${path}`))
      return place < 0 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
