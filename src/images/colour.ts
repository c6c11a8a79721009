/** A colour in OKLCH (https://www.w3.org/TR/css-color-4/#ok-lab): lightness from 0 to 1, chroma, and hue in radians. */
interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

/** @param hex a colour such as `#0d6b5e` */
function parseHex(hex: string): Oklch {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at =>
    toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  )
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const green = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blue = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(green, blue),
    hue: Math.atan2(blue, green),
  }
}

function toHex({ lightness, chroma, hue }: Oklch): string {
  const [green, blue] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * green + 0.2158037573 * blue) ** 3
  const m = (lightness - 0.1055613458 * green - 0.0638541728 * blue) ** 3
  const s = (lightness - 0.0894841775 * green - 1.291485548 * blue) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  // Channels outside sRGB are cut off.
  const channels = linear.map(value =>
    Math.round(255 * Math.min(1, Math.max(0, fromLinear(Math.max(0, value))))),
  )
  return `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns a shade of a colour, with the same hue. @param maxChroma how colourful it may be */
export function shadeOf(hex: string, lightness: number, maxChroma: number): string {
  const { chroma, hue } = parseHex(hex)
  return toHex({ lightness, chroma: Math.min(chroma, maxChroma), hue })
}

/** Returns a colour that is dark enough to read on a light background. */
export function darkened(hex: string, maxLightness: number): string {
  const colour = parseHex(hex)
  return colour.lightness <= maxLightness ? hex : toHex({ ...colour, lightness: maxLightness })
}
