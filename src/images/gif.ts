const SCREEN = 13
const IMAGE = 0x2c
const EXTENSION = 0x21
const IMAGE_HEAD = 10
const EXTENSION_HEAD = 2
/** What comes before an image's data and says how wide its codes are. */
const CODE_SIZE = 1

/** Whether a GIF has all of its first picture, which is the one that is kept. The decoder takes one that is cut, too. */
export function isWholeGif(file: Buffer): boolean {
  let at = SCREEN + paletteBytes(file[10] ?? 0)
  while (file[at] === EXTENSION) at = afterBlocks(file, at + EXTENSION_HEAD)
  if (file[at] !== IMAGE) return false
  return afterBlocks(file, at + IMAGE_HEAD + paletteBytes(file[at + 9] ?? 0) + CODE_SIZE) <= file.length
}

/** The size of the palette that a descriptor's flags announce. */
const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Where a row of data blocks ends: behind the one without bytes, or beyond the file's end if there is none. */
function afterBlocks(file: Buffer, start: number): number {
  let at = start
  while (file[at]) at += 1 + (file[at] ?? 0)
  return at + 1
}
