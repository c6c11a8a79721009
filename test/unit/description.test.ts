import { describe, expect, test } from 'bun:test'
import { renderDescription, summarize } from '../../src/features/pages/description.ts'

/** What a browser would find in this HTML: every element with its attributes. */
function elementsOf(html: string) {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  new HTMLRewriter()
    .on('*', {
      element: ({ tagName, attributes }) =>
        void elements.push({ name: tagName, attributes: Object.fromEntries(attributes) }),
    })
    .transform(html)
  return elements
}

const HARMLESS = /^(p|br|hr|h[2-6]|ul|ol|li|blockquote|pre|code|strong|em|del|a|table|thead|tbody|tr|th|td)$/

const TRICKS: readonly string[] = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example>',
  '<img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<form action="https://evil.example"><input name=password></form>',
  '<style>body{display:none}</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<div onclick="alert(1)">\n\n**bold**\n\n</div>',
  'before <b onmouseover=alert(1)>in a line</b> after',
  '<!-- comment --><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?><!DOCTYPE html>',
  '<a href="javascript:alert(1)">x</a>',
  '</div></main><script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](<\u0001javascript:alert(1)>)',
  '[x](javascript&colon;alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](&#0000106;avascript:alert(1))',
  '[x](&Tab;javascript:alert(1))',
  '[x](java&NewLine;script:alert(1))',
  '[x](java%0ascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://evil.example/1)',
  '[x](//evil.example)',
  '[x](/users.json)',
  '[x](?q=1)',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '[y]\n\n[y]: <javascript:alert(1)> "title"',
  '<javascript:alert(1)>',
  '<data:text/html,hi>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '![x" onerror="alert(1)](x)',
  '![<img src=x onerror=alert(1)>](x)',
  '[![x](x)](javascript:alert(1))',
  '[x](https://example.com "t\\" onmouseover=\\"alert(1)")',
  '[x](https://example.com/"onmouseover="alert\\(1\\))',
  '`<script>alert(1)</script>`',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\ncode\n```',
  '    <script>alert(1)</script>',
  '| <script>alert(1)</script> | [x](javascript:alert(1)) |\n|-|-|\n| <img src=x onerror=alert(1)> | b |',
  '- <script>alert(1)</script>\n- [x](javascript:alert(1))',
  '> <script>alert(1)</script>',
  '# <script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '- [ ] <input autofocus onfocus=alert(1)>',
  '\u2028<script>alert(1)</script>',
]

describe('a description', () => {
  test.each(TRICKS)('has only harmless elements: %j', markdown => {
    const html = renderDescription(markdown)
    for (const { name, attributes } of elementsOf(html)) {
      expect(name).toMatch(HARMLESS)
      const { href, title: _title, rel, ...others } = attributes
      expect(others).toEqual(name === 'table' ? { tabindex: '0' } : {})
      if (name === 'a')
        expect({ href, rel }).toEqual({
          href: expect.stringMatching(/^(https?:\/\/|mailto:)/i),
          rel: 'nofollow noopener ugc',
        })
      else expect(href).toBeUndefined()
    }
    expect(html).not.toMatch(/<!|<\?/)
  })

  const SHOWN: readonly (readonly [string, string])[] = [
    ['**a** _b_ ~~c~~', '<p><strong>a</strong> <em>b</em> <del>c</del></p>'],
    [
      '[a](https://a.example/?x=1&y=2)',
      '<p><a href="https://a.example/?x=1&amp;y=2" rel="nofollow noopener ugc">a</a></p>',
    ],
    [
      'see www.a.example',
      '<p>see <a href="http://www.a.example" rel="nofollow noopener ugc">www.a.example</a></p>',
    ],
    ['[a](mailto:a@b.example)', '<p><a href="mailto:a@b.example" rel="nofollow noopener ugc">a</a></p>'],
    ['[a](javascript:alert(1))', '<p>a</p>'],
    ['![a cat](cat.png)', '<p>a cat</p>'],
    ['![a "<b>" & cat](cat.png)', '<p>a &quot;&lt;b&gt;&quot; &amp; cat</p>'],
    ['1 < 2 & <b>', '<p>1 &lt; 2 &amp; &lt;b&gt;</p>'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['- [x] a\n- [ ] b', '<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>'],
    ['# a\n\n#### b\n\n# c', '<h2>a</h2>\n<h3>b</h3>\n<h2>c</h2>'],
    ['###### a', '<h2>a</h2>'],
  ]

  test.each(SHOWN)('renders %j', (markdown, html) => expect(renderDescription(markdown).trim()).toBe(html))

  const HEAVY: readonly (readonly [string, string])[] = [
    ['quotes in quotes', '>'.repeat(65_000)],
    ['a table of empty cells', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|x\n'.repeat(21_000)}`],
    ['one long link many times', `[a]: https://${'b'.repeat(20_000)}\n\n${'[a]'.repeat(10_000)}`],
    ['a table as wide as can be', `${'a|'.repeat(120)}\n${'-|'.repeat(120)}\n${'a\n'.repeat(32_000)}`],
    ['such a table in a quote', `> ${'a|'.repeat(120)}\n> ${'-|'.repeat(120)}\n${'> a\n'.repeat(16_000)}`],
    ['tables without end', 'a|b\n-|-\n'.repeat(8000)],
    ['lists in lists', '1. '.repeat(21_000)],
    ['rules in lists', '* * * a\n'.repeat(8000)],
    ['headings', '# a\n'.repeat(16_000)],
    ['words that are stressed', '_a_ '.repeat(16_000)],
  ]

  test.each(HEAVY)('that would grow too large stays text: %s', (_, markdown) => {
    const html = renderDescription(markdown)
    expect(html).toBe(`<pre>${Bun.escapeHTML(markdown)}</pre>`)
  })
})

test('a long description with a table and much else is rendered', () => {
  const text = `# What\n\n|a|b|c|\n|-|-|-|\n${'|*1*|2|3|\n'.repeat(100)}\n${'- **one** [two](https://a.example) three\n'.repeat(1200)}`
  const html = renderDescription(text)
  expect(html.match(/<li>/g)).toHaveLength(1200)
  expect(html.match(/<td>/g)).toHaveLength(300)
})

test('a text of many lines that are no table is parsed once', () => {
  const html = renderDescription('---\n'.repeat(9000))
  expect(html.match(/<hr/g)).toHaveLength(9000)
})

describe('a summary', () => {
  test.each([
    ['# Who\n\nWe **are** [nice](https://a.example).\n\n- one\n- two', 'Who We are nice. one two'],
    ['a\n\nb  \nc', 'a b c'],
    ['a <b>c</b> d', 'a <b>c</b> d'],
    ['<script>alert(1)</script>x', '<script>alert(1)</script>x'],
    ['![pic](x.png) `code` &amp; <', 'pic code & <'],
    ['', ''],
  ])('of %j is its words', (markdown, words) => expect(summarize(markdown)).toBe(words))

  test('of a very wide table is its text', () => {
    const table = `${'a|'.repeat(120)}\n${'-|'.repeat(120)}\n${'a\n'.repeat(2000)}`
    expect(summarize(table)).toStartWith('a|a|a|')
  })

  test('ends with a whole word after at most 200 characters', () => {
    expect(summarize('word '.repeat(100))).toBe(`${'word '.repeat(39)}word…`)
    expect(summarize('x'.repeat(500))).toBe(`${'x'.repeat(200)}…`)
    expect(summarize('😀'.repeat(500))).toBe(`${'😀'.repeat(200)}…`)
  })
})
