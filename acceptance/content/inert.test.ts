import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const admin = sharedApi()
const client = connect(admin)
let params: { deploymentId: number }

beforeAll(async () => {
  params = { deploymentId: await createDeployment(admin) }
})

/** Texts that do something where they are taken for something other than text. */
const hostile = [
  '<script>alert(document.cookie)</script>',
  '"><svg/onload=alert(1)>',
  '</title><img src=x onerror=alert(1)>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '[click](javascript:alert(1))',
  '![x](https://evil.example/?seen)',
  '<javascript:alert(1)>',
  '[a]: javascript:alert(1) "x"',
  '{{constructor.constructor("alert(1)")()}}',
  '<%= 7*7 %>#{7*7}',
  "'; drop table reports; --",
  '=HYPERLINK("https://evil.example","x")',
  '\u202egnp.exe \u0007\u001b[31m',
  '__proto__',
  '<a href="java\tscript:alert(1)">x</a>',
]

describe('script in texts is text: it comes back as it was written', () => {
  test.each(hostile)('%j', async text => {
    const body = { name: text, title: text, description: text, meta: { kind: 'kpi' as const, note: text } }
    const { id } = await client.createReport({ params, body })
    const answer = await admin.get(`/api/v1/deployments/${params.deploymentId}/reports/${id}`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.body).toMatchObject({ name: text, title: text, description: text, meta: { note: text } })
    const { items } = await client.getReports({ params, query: { search: text } })
    expect(items.map(({ name }) => name)).toContain(text)
  })
})

describe('HTML reports are inert when they come back', () => {
  const spec = `
    <h1 onclick="alert(1)">Revenue</h1><script>alert(1)</script><img src=x onerror=alert(1)>
    <a href="javascript:alert(1)">a</a><a href="https://example.com/">b</a>
    <p style="background-color:url(https://evil.example);color:red">c</p>
    <svg><script>alert(1)</script></svg><iframe src="//evil.example"></iframe><form action="//evil.example"><input></form>`

  test('on creating, on changing, on upserting: what runs, loads or leads away is gone, the rest is there', async () => {
    const body = { meta: { kind: 'html' as const, spec } }
    const created = await client.createReport({ params, body })
    const changed = await client.updateReport({
      params: { ...params, reportId: (await client.createReport({ params, body: {} })).id },
      body,
    })
    const upserted = await client.upsertReportByPublicId({ params: { ...params, publicId: 'InertReport1' }, body })
    for (const report of [created, changed, upserted]) {
      const html = String(report.meta?.spec)
      expect(html).toContain('<h1>Revenue</h1>')
      expect(html).toContain('<p style="color:red">c</p>')
      expect(html).toContain('<a href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow">b</a>')
      expect(html).not.toMatch(/alert|evil|onclick|onerror|javascript|<svg|<iframe|<form|<input|<script/i)
    }
    expect(changed.meta).toEqual(created.meta)
  })

  test('whatever kind it had before: HTML is only where it is cleaned', async () => {
    const { id } = await client.createReport({ params, body: { meta: { kind: 'table', spec: { html: spec } } } })
    const reportId = { ...params, reportId: id }
    const refused = client.updateReport({ params: reportId, body: { meta: { kind: 'vega', spec } } })
    await expectRefusal(refused, 'report_meta_invalid', /meta\.spec/)
    await expectRefusal(
      client.updateReport({ params: reportId, body: { meta: { kind: 'html', spec: { html: spec } } } }),
      'report_meta_invalid',
      /as text/,
    )
  })

  test('of more tags than can be cleaned in time are refused', async () => {
    const body = { meta: { kind: 'html' as const, spec: '<b>'.repeat(60_000) } }
    const started = Date.now()
    await expectRefusal(client.createReport({ params, body }), 'report_meta_invalid', /tags/)
    expect(Date.now() - started).toBeLessThan(15_000)
  })
})

describe('a chart that would load, lead away or run code is refused with 400 that names the part', () => {
  test.each([
    ['data of an address', { data: { url: 'https://evil.example' } }, /meta\.spec\.data\.url/],
    ['data of an address, as text', '{"data":{"url":"https://evil.example"}}', /meta\.spec\.data\.url/],
    ['pictures that rows name', { mark: 'image', encoding: { url: { field: 'a' } } }, /encoding\.url/],
    ['a javascript link', { mark: { type: 'bar', href: 'javascript:alert(1)' } }, /href/],
    ['options of the page', { usermeta: { embedOptions: { sourceHeader: '<script>' } } }, /embedOptions/],
    ['code in a signal', { params: [{ name: 'p', expr: 'fetch("https://evil.example")' }] }, /fetch/],
  ])('%s', async (_, spec, message) => {
    for (const kind of ['vega', 'map', 'sankey', undefined] as const) {
      const meta = { spec, ...(kind === undefined ? {} : { kind }) }
      await expectRefusal(client.createReport({ params, body: { meta } }), 'report_meta_invalid', message)
    }
  })
})

test('keys that would reach a prototype do not', async () => {
  const path = `/api/v1/deployments/${params.deploymentId}/reports`
  const answer = await admin.post(path, '{"name":"p","meta":{"__proto__":{"isAdmin":true},"kept":1}}')
  expect(answer.status).toBe(200)
  expect(answer.body.meta).toEqual({ kept: 1 })
  const refused = await admin.post(path, '{"name":"p","meta":{"spec":{"constructor":{"prototype":{"isAdmin":true}}}}}')
  expect([refused.status, refused.body.code]).toEqual([400, 'report_meta_invalid'])
  expect((await client.getMe({})).isAdmin).toBe(true)
})
