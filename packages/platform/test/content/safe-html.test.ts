import { describe, expect, test } from 'vitest'
import { cleanHtml, tooMuchHtml } from '../../src/content/safe-html.ts'

describe('HTML of a report', () => {
  test.each([
    ['<h1 style="color:rgb(1,2,3);text-align:center">A</h1>', '<h1 style="color:rgb(1,2,3);text-align:center">A</h1>'],
    [
      '<table><tr><td colspan="2">a &amp; b</td></tr></table>',
      '<table><tr><td colspan="2">a &amp; b</td></tr></table>',
    ],
    ['<ul><li>x</li></ul><p>y<br />z</p>', '<ul><li>x</li></ul><p>y<br />z</p>'],
    ['<img src="data:image/png;base64,AAAA" alt="y" />', '<img src="data:image/png;base64,AAAA" alt="y" />'],
    ['&lt;script&gt;', '&lt;script&gt;'],
  ])('keeps what is harmless: %s', async (html, cleaned) => {
    expect(await cleanHtml(html)).toBe(cleaned)
  })

  test.each([
    ['a script', '<script>alert(1)</script>', ''],
    ['a script within a script', '<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
    ['what listens', '<b onclick="alert(1)">x</b>', '<b>x</b>'],
    ['what opens and listens', '<details open ontoggle=alert(1)>x</details>', '<details open>x</details>'],
    ['a picture that loads', '<img src=https://evil.example/x.png>', '<img />'],
    ['a picture that fails', '<img src=x onerror=alert(1)>', '<img />'],
    ['a picture that is a document', '<img src="data:image/svg+xml;base64,AAAA">', '<img />'],
    ['a drawing', '<svg><a href="javascript:alert(1)"><text>x</text></a></svg>', ''],
    ['a formula', '<math><mi//xlink:href="data:x,<script>alert(4)</script>">', ''],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', ''],
    ['a form', '<form action=//evil.example><input name=a><button>x</button></form>', 'x'],
    ['styles of the page', '<style>*{display:none}</style>', ''],
    [
      'what loads by style',
      '<p style="background:url(//e);background-color:url(//e);color:\\75rl(x)">x</p>',
      '<p>x</p>',
    ],
    ['what covers the page', '<p style="position:fixed;z-index:9">x</p>', '<p>x</p>'],
    ['names the page may know', '<p id=a class=b name=c data-d=1>x</p>', '<p>x</p>'],
    [
      'what moves the page',
      '<base href=//e><meta http-equiv=refresh content="0;url=//e"><link rel=stylesheet href=//e>',
      '',
    ],
    ['text that browsers read twice', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    ['a comment', '<!-- <script>alert(1)</script> --><![CDATA[<script>alert(1)</script>]]>', ''],
  ])('loses %s', async (_, html, cleaned) => {
    expect(await cleanHtml(html)).toBe(cleaned)
  })

  test.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' &#106;avascript:alert(1)',
    'JaVaScRiPt&colon;alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example',
    '/api/v1/users',
    '?x',
    '#x',
    'file:///etc/passwd',
  ])('has no link to %s', async address => {
    expect(await cleanHtml(`<a href="${address}">x</a>`)).toBe(
      '<a target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
  })

  test('has plain links that neither leave nor tell of the page', async () => {
    expect(await cleanHtml('<a href="https://a.example/?b=1&amp;c=2" target="_self" rel="opener">x</a>')).toBe(
      '<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
  })

  test('is bounded before it is cleaned', () => {
    expect(tooMuchHtml('<b>x</b>'.repeat(1000))).toBeNull()
    expect(tooMuchHtml('<b>'.repeat(10_001))).toMatch(/10000 tags/)
    expect(tooMuchHtml('x'.repeat(200_001))).toMatch(/200000 characters/)
  })
})
