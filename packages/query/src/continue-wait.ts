/**
 * The result is not there yet and the query goes on: ask again with the identical request to join it.
 * The data API answers 200 with `{ "error": "Continue wait" }` (contract/behaviour/query.md, section 5).
 */
export class ContinueWait extends Error {
  constructor() {
    super('Continue wait')
    this.name = 'ContinueWait'
  }
}
