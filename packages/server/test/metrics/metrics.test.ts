import { expect, test } from 'vitest'
import { writeMetrics } from '../../src/metrics/exposition.ts'
import { createRequestMeter } from '../../src/metrics/request-meter.ts'

test('requests are counted by action and status, and their durations fall into classes', () => {
  const meter = createRequestMeter()
  for (const seconds of [0.0005, 0.02, 0.02, 60]) meter.count('load', 200, seconds)
  meter.count('load', 429, 0.0001)
  meter.count('meta', 200, 1)
  const text = writeMetrics(meter.metrics())
  for (const line of [
    '# TYPE hedron_data_requests_total counter',
    'hedron_data_requests_total{action="load",status="200"} 4',
    'hedron_data_requests_total{action="load",status="429"} 1',
    'hedron_data_request_duration_seconds_bucket{action="load",le="0.001"} 2',
    'hedron_data_request_duration_seconds_bucket{action="load",le="0.025"} 4',
    'hedron_data_request_duration_seconds_bucket{action="load",le="30"} 4',
    'hedron_data_request_duration_seconds_bucket{action="load",le="+Inf"} 5',
    'hedron_data_request_duration_seconds_count{action="load"} 5',
    'hedron_data_request_duration_seconds_bucket{action="meta",le="0.5"} 0',
    'hedron_data_request_duration_seconds_bucket{action="meta",le="1"} 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(text).toMatch(/^hedron_data_request_duration_seconds_sum\{action="load"\} 60\.04/m)
})

test('what labels and helps hold cannot break a line', () => {
  const samples = [{ labels: { text: 'a"b\\c\nd' }, value: 1 }]
  expect(writeMetrics([{ name: 'x', help: 'one\ntwo', type: 'gauge', samples }])).toBe(
    '# HELP x one\\ntwo\n# TYPE x gauge\nx{text="a\\"b\\\\c\\nd"} 1\n',
  )
})
