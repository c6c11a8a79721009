import { describe, expect, test } from 'bun:test'
import { Renderer } from '@takumi-rs/core'
import { type Card, drawCard, TITLE_HEIGHT, TITLE_WIDTH, titleNode } from '../../src/images/card.ts'
import { fontsFor } from '../../src/images/fonts.ts'
import { monogramOf } from '../../src/images/monogram.ts'
import { cjkVariantOf, directionOf, withBreaks } from '../../src/images/textLayout.ts'
import { titleSamples, titleSize } from '../../src/images/titleSize.ts'

const renderer = new Renderer()
const registered = new Set<string>()

async function familiesFor(text: string): Promise<string[]> {
  const paths = fontsFor(text)
  for (const path of paths.filter(each => !registered.has(each))) {
    registered.add(path)
    await renderer.registerFont({ name: path, data: await Bun.file(path).bytes() })
  }
  return paths
}

/** The layout of a title: its size, and the lines as they would be drawn. */
async function laidOut(title: string) {
  const fontFamilies = await familiesFor(title)
  const options = { width: TITLE_WIDTH, fontFamilies }
  const size = titleSize(await renderer.measure(titleSamples(title), options))
  const { height, runs } = await renderer.measure(titleNode(title, size), options)
  const lines = Map.groupBy(runs, ({ y }) => Math.round(y / size))
  const widths = [...lines.values()].map(line => Math.max(...line.map(({ x, width }) => x + width)))
  const words = [...lines.values()].map(line => line.map(({ text }) => text).join(''))
  return { size, height, width: Math.max(...widths), words }
}

describe('A title', () => {
  test.each([
    ['one short word', 'Cook'],
    ['several words', 'Senior Software Engineer for Payments and Platform'],
    ['64 wide letters', 'W'.repeat(64)],
    ['64 narrow letters', 'i'.repeat(64)],
    ['wide words', 'WWWW '.repeat(12).trim()],
    ['a long word among short ones', 'a b c Donaudampfschiffahrtsgesellschaft d e f'],
    ['64 Chinese characters', '高级软件工程师'.repeat(9).slice(0, 64)],
    ['64 emoji', '🚀'.repeat(64)],
  ])('of %s fits, with no word broken', async (_, title) => {
    const { size, width, height, words } = await laidOut(title)
    // the space at the end of a line may hang over
    expect(width).toBeLessThanOrEqual(TITLE_WIDTH + size / 4)
    expect(height).toBeLessThanOrEqual(TITLE_HEIGHT)
    const spaced = title.split(' ')
    const unbroken = words.flatMap(line => line.replaceAll('\u200b', '').trim().split(/\s+/))
    if (!/\p{Script=Han}/u.test(title)) expect(unbroken).toEqual(spaced)
  })

  test('is larger if it is shorter', async () => {
    const sizes = await Promise.all(
      ['Cook', 'Senior Software Engineer', 'W'.repeat(20), 'W'.repeat(64)].map(
        async title => (await laidOut(title)).size,
      ),
    )
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
    expect(new Set(sizes).size).toBe(sizes.length - 1)
  })
})

describe('Line breaks of', () => {
  test.each([
    ['Account Executive - Berlin', 'Account Executive\u{a0}- Berlin'],
    ['Full-time Cook', 'Full-time Cook'],
    ['シニアエンジニア', 'シニア\u200bエンジニア'],
    ['資深工程師（後端）', '資深\u200b工程師\u200b（後端）'],
    ['ครูสอนภาษา', 'ครู\u200bสอน\u200bภาษา'],
  ])('%s are between words only', (text, marked) =>
    expect(withBreaks(text).replace(/^\u200b/, '')).toBe(marked),
  )

  test('a decomposed text are those of its composed form', () =>
    expect(withBreaks('Cafe\u{301}')).toBe('Café'))
})

describe('The direction of', () => {
  test.each([
    ['Cook', 'ltr'],
    ['مهندس', 'rtl'],
    ['מהנדסת תוכנה (React)', 'rtl'],
    ['React מפתחת', 'ltr'],
    ['1. טבח', 'rtl'],
    ['🚀 123', 'ltr'],
  ] as const)('%s is %s', (text, direction) => expect(directionOf(text)).toBe(direction))
})

describe('The CJK variant of', () => {
  test.each([
    ['高级软件工程师 上海', 'simplified'],
    ['資深軟體工程師 臺北', 'traditional'],
    ['営業 東京', 'japanese'],
    ['東京の営業', 'japanese'],
    ['漢字 시니어', 'korean'],
    ['Cook', 'japanese'],
  ] as const)('%s is %s', (text, variant) => expect(cjkVariantOf(text)).toBe(variant))
})

describe('The accent of the board', () => {
  const card: Card = {
    board: 'Corkboard',
    accent: '#7a1f5c',
    title: 'Nurse',
    company: 'Harbour',
    location: 'Galway, Ireland',
    salary: '€48,500 a year',
    arrangement: 'On-site',
    term: 'Full-time',
    highlight: false,
  }
  const coloursOf = (drawn: Card) =>
    new Set(JSON.stringify(drawCard(drawn, 60, undefined)).match(/#[0-9a-f]{6}/g))

  test('is in the line below a plain card and in its salary', () =>
    expect(coloursOf(card)).toContain('#7a1f5c'))

  test('colours the paper of a highlighted card', () => {
    const [purple, green] = ['#7a1f5c', '#0d6b5e'].map(accent =>
      coloursOf({ ...card, accent, highlight: true }),
    )
    expect(purple).not.toEqual(green)
  })
})

describe('The monogram of', () => {
  test.each([
    ['Acme Corporation of Ohio', 'AC'],
    ['acme', 'Ac'],
    ['"Quoted" & Sons', 'QS'],
    ['3 Brothers', '3B'],
    ['株式会社さくら', '株'],
    ['شركة الاتصالات', 'ش'],
    ['👩🏽‍🍳 Kitchen', '👩🏽‍🍳'],
    ['— —', '•'],
  ])('%s is %s', (name, monogram) => expect(monogramOf(name)).toBe(monogram))
})

describe('Every character has a font in', () => {
  const drawn = async (character: string, fontFamilies: string[]) =>
    Bun.hash(
      await renderer.render(
        {
          type: 'text',
          text: character,
          style: { fontSize: 40, color: '#000000', backgroundColor: '#ffffff' },
        },
        { width: 80, height: 80, fontFamilies },
      ),
    )

  test.each([
    ['Latin', 'AÅÉßØĐŁŠŽğışđțẽệỹ€£¥₹₩₽₺₪₫₴₦№“”‘’–—…•·«»'],
    ['Cyrillic', 'АБВЁЖЙЩЪЫЭЮЯёіїєґўћџѓқңөұ'],
    ['Greek', 'ΑΒΓΔΩάέήίόύώϊΐςἀᾳῶ'],
    ['Arabic', 'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئپچژگکی٠١٢؟،'],
    ['Hebrew', 'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
    ['Devanagari', 'अआइईउऊऋएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह०१२३।'],
    ['simplified Chinese', '高级软件工程师运营销售经理护士医疗餐饮厨客服务员数据产品设计'],
    ['traditional Chinese', '資深軟體工程師營運銷售經理護醫療餐飲廚員數據產品設計臺灣'],
    ['Japanese', 'あいうえおんアイウエオンー営業職募集東京渋谷区髙﨑々「」・（）株'],
    ['Korean', '가각뷁힣시니어소프트웨어엔지니어서울특별시'],
    ['emoji', '🚀💼🏢🍕☕❤✨🎉😀👍🔥🌍🩺🧑'],
    ['symbols', '→←↑★☆●■◆✓①'],
  ])('%s', async (_, characters) => {
    const boxed: string[] = []
    for (const character of characters) {
      const families = await familiesFor(character)
      const box = await drawn('\u{378}', families)
      if ((await drawn(character, families)) === box) boxed.push(character)
    }
    expect(boxed).toEqual([])
  })

  test('these scripts only: others are drawn as boxes', async () => {
    const families = await familiesFor('ꦗ')
    expect(await drawn('ꦗ', families)).toBe(await drawn('\u{378}', families))
  })
})
