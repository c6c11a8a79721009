import { describe, expect, test } from 'bun:test'
import { htmlToMarkdown, htmlToText } from '../../src/features/jobs/htmlToMarkdown.ts'
import { renderDescription } from '../../src/features/pages/description.ts'

/** What a conversion of 100 kB may take, in milliseconds of the processor. It takes a fifth of that. */
const MAX_TIME = 700
const SIZE = 100_000

const fill = (text: string) => text.repeat(SIZE / text.length)

describe('HTML as applicant tracking systems deliver it', () => {
  test('is escaped as a whole, as that of Greenhouse', () => {
    const html =
      '&lt;div class=&quot;intro&quot;&gt;&lt;h2&gt;&lt;strong&gt;Why us&lt;/strong&gt;&lt;/h2&gt;\n&lt;p&gt;Boats &amp;amp; tides. Pay &amp;lt; fun.&lt;/p&gt;\n&lt;ul&gt;\n&lt;li&gt;Sail&lt;/li&gt;\n&lt;li&gt;&lt;em&gt;Row&lt;/em&gt;&lt;/li&gt;\n&lt;/ul&gt;&lt;/div&gt;'
    expect(htmlToMarkdown(html)).toBe('## Why us\n\nBoats & tides. Pay \\< fun.\n\n- Sail\n- *Row*')
  })

  test('has nested blocks and styles, as that of Lever', () => {
    const html =
      '<div><span style="font-size: 18px">About the harbour</span></div><div><br></div><div><b style="font-size: 16px">You will:</b>moor boats</div><div style="display:none">#LI-Remote</div><ul class="posting"><li>Tie knots</li><li>Untie <b>them</b></li></ul><p>Write to <a href="mailto:quay@harbour.example?subject=Job" target="_blank">the quay</a>.</p>'
    expect(htmlToMarkdown(html)).toBe(
      'About the harbour\n\n**You will**:moor boats\n\n- Tie knots\n- Untie **them**\n\nWrite to [the quay](mailto:quay@harbour.example?subject=Job).',
    )
  })

  test('has spaces that do not break, and empty paragraphs, as that of Workday', () => {
    const html =
      '<p><span><b>Summary</b></span></p><p></p><p>&#xa0;</p><p><span>Care&nbsp;for the lighthouse.</span></p><ul><li><p><span>Light it</span></p></li><li><p>Clean it</p><ul><li>daily</li></ul></li></ul><ol start="3"><li>Eat<li>Sleep</ol><p><b>Pay</b><b> range:</b> 2 &lt; 3</p>'
    expect(htmlToMarkdown(html)).toBe(
      '**Summary**\n\nCare for the lighthouse.\n\n- Light it\n- Clean it\n\n  - daily\n\n3. Eat\n4. Sleep\n\n**Pay** **range:** 2 \\< 3',
    )
  })
})

describe('the Markdown of HTML', () => {
  test.each([
    [
      '<a href="javascript:alert(1)">run</a> <a href="data:text/html,x">data</a> <a href="/a">here</a>',
      'run data here',
    ],
    ['<a href=" https://a.example/b(c)?d=1&amp;e ">go</a>', '[go](https://a.example/b%28c%29?d=1&e)'],
    ['<textarea><a href="javascript:1">x</a></textarea>a<a href="vbscript:1">b</a>', 'ab'],
    [
      'a<script>alert(1)</script><style>p{}</style><img src="https://t.example/1.gif" alt="x"><svg><text>y</text></svg>b',
      'ab',
    ],
    ['<!-- note --><p>one</p><p hidden>two</p><template><p>three</p></template>', 'one'],
    ['<p>a<b> b </b>c <b>d</b><b>e</b> <strong><b>f</b></strong></p>', 'a **b** c **de** **f**'],
    ['<b>Note (important):</b>then<b>(x)</b>y', '**Note (important**):then(**x**)y'],
    [
      '<p>1) no list</p><p>- none</p><p># none</p><p>*a* _b_ [c](d) `e` ~~f~~ &amp;lt;</p>',
      '1\\) no list\n\n\\- none\n\n\\# none\n\n\\*a\\* \\_b\\_ \\[c\\](d) \\`e\\` \\~\\~f\\~\\~ \\&lt;',
    ],
    ['See https://a.example/b_c_d?e=*f* now', 'See https://a.example/b_c_d?e=*f* now'],
    ['<table><tr><th>Pay</th><td>10</td></tr><tr><th>Days</th><td>4</td></tr></table>', 'Pay 10\n\nDays 4'],
    ['<blockquote><p>one</p><p>two</p></blockquote><hr>', '> one\n> \n> two\n\n* * *'],
    ['<h2>Two<br>lines</h2><dl><dt>Term</dt><dd>Meaning</dd></dl>', '## Two lines\n\nTerm\n\nMeaning'],
    ['<p>open<p>again<ul><li>a<li>b', 'open\n\nagain\n\n- a\n- b'],
    ['<b></b><p> &nbsp; </p><img src=x>', ''],
  ])('of %s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })

  test('shows the same text when it is rendered', () => {
    const html = '&lt;script&gt;alert(1)&lt;/script&gt; <p>a*b*c &amp;amp; ~x~ 1. y</p>'
    expect(renderDescription(htmlToMarkdown(html))).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>a*b*c &amp;amp; ~x~ 1. y</p>\n',
    )
  })

  test.each([
    ['nested elements', `${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`],
    ['very many elements', '<p><b>'.repeat(80_000)],
    ['nested lists', '<ul><li>'.repeat(10_000)],
    ['unclosed elements', fill('<b><p>x')],
    ['many elements', fill('<a href="https://a.example">x</a> ')],
    ['attributes', `<p ${fill('a="b" ')}>x`],
    ['line breaks without an element', fill('</br>')],
    ['paragraphs without an element', fill('</p>')],
    ['quotes of many lines', `${'<blockquote>'.repeat(99)}<pre>${'\n'.repeat(SIZE)}x`],
    ['items of many lines', `${'<li><div>'.repeat(49)}<pre>${'\n'.repeat(SIZE)}x`],
    ['spaces', fill('&nbsp;')],
    ['punctuation', `x<b>${fill('(')}a${fill('.')}</b>x`],
    ['less-than signs', fill('<')],
    ['comments', fill('<!--')],
    ['text that looks like Markdown', fill('*_[]#` ')],
  ])('of %s takes little time', (_, html) => {
    const start = process.cpuUsage()
    expect(htmlToMarkdown(html)).toBeString()
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(MAX_TIME)
  })

  test('keeps the text of elements beyond those that are converted', () => {
    expect(htmlToMarkdown(`${'<div>'.repeat(500)}deep${'</div>'.repeat(500)}<p>after</p>`)).toBe(
      'deep\n\nafter',
    )
    for (const count of [4000, 20_000])
      expect(htmlToMarkdown('<p>word</p>'.repeat(count)).match(/word/g)).toHaveLength(count)
  })
})

test('the text of HTML has no markup', () => {
  expect(htmlToText('Cook &amp; <b>baker</b> &#8211; R&#038;D &lt;3 *_\n  now')).toBe(
    'Cook & baker – R&D <3 *_ now',
  )
})
