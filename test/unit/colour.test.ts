import { expect, test } from 'bun:test'
import { darkened, shadeOf } from '../../src/images/colour.ts'

/** Returns the channels of a colour. */
const channels = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))

/** Returns the contrast of a colour with the paper of cards (WCAG 2). */
function contrastWithPaper(hex: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map(value =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  return (luminance('#fbf7ef') + 0.05) / (luminance(hex) + 0.05)
}

test.each(['#ffe600', '#ffffff', '#ff00aa', '#00ffff', '#0d6b5e', '#000000'])(
  '%s becomes readable on the paper of cards',
  accent => expect(contrastWithPaper(darkened(accent, 0.47))).toBeGreaterThan(4.5),
)

test('a dark colour stays as it is', () => expect(darkened('#0b4d44', 0.47)).toBe('#0b4d44'))

test('a shade has the hue of its colour', () => {
  const [red = 0, green = 0, blue = 0] = channels(shadeOf('#c2185b', 0.28, 0.05))
  expect(red).toBeGreaterThan(blue)
  expect(blue).toBeGreaterThan(green)
  expect(new Set(channels(shadeOf('#808080', 0.28, 0.05))).size).toBe(1)
})
