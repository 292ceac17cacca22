import { ApiError } from '@hedron/contract/client'
import { describe, expect, test } from 'vitest'
import { errorDetail, explainApiError } from '../../src/session/explain.ts'

test.each([
  [{ message: null, error: 'x' }, 'x'],
  [{ message: 400, error: 'x' }, 'x'],
  [{ message: 400 }, '{"message":400}'],
  [{ message: ['ref is unknown'], error: 'x' }, '["ref is unknown"]'],
  [{ message: '', statusCode: 400 }, '{"message":"","statusCode":400}'],
  [{ message: { b: 1 } }, '{"b":1}'],
  [{}, ''],
  [[], ''],
  [null, ''],
  ['null', ''],
  ['  ', ''],
  ['"text in JSON"', 'text in JSON'],
  ['400', '400'],
  ['Bad\n Gateway', 'Bad Gateway'],
  [{ message: `a\u001b[2J${'b'.repeat(900)}` }, `a[2J${'b'.repeat(796)}…`],
])('the detail of %j is %j', (body, detail) => expect(errorDetail(body)).toBe(detail))

describe('the sentence', () => {
  const explain = (status: number, body: unknown) =>
    explainApiError(new ApiError('GET', '/api/v1/x', status, body, 'fallback'))

  test.each([
    [401, {}, 'unauthorized (401): session expired — run `hedron login` (or set HEDRON_API_KEY).'],
    [403, { message: 'no' }, 'forbidden (403): no'],
    [403, '', 'forbidden (403)'],
    [404, { message: 'no such thing' }, 'not found (404): GET /api/v1/x. no such thing'],
    [404, '', 'not found (404): GET /api/v1/x'],
    [502, 'Bad Gateway', 'GET /api/v1/x failed with 502 Bad Gateway: Bad Gateway'],
    [599, '', 'GET /api/v1/x failed with 599'],
    [200, 'plain words', 'GET /api/v1/x returned a body that is not JSON: plain words'],
    [200, '<?xml version="1.0"?>', 'GET /api/v1/x returned a body that is not JSON: <?xml version="1.0"?>'],
  ])('for %d with %j', (status, body, sentence) => expect(explain(status, body)).toBe(sentence))

  test('a web page says so', () =>
    expect(explain(200, ' <!doctype html>')).toContain('returned a web page instead of JSON'))
})
