const SCREEN_DESCRIPTOR_BYTES = 13
const IMAGE = 0x2c
const EXTENSION = 0x21
const IMAGE_HEADER_BYTES = 10
const EXTENSION_HEADER_BYTES = 2
/** The byte before an image's data, which states the width of its codes. */
const CODE_SIZE_BYTES = 1

/** Returns whether the first frame of a GIF, the one that is used, is complete. The decoder accepts a truncated one. */
export function isCompleteGif(file: Buffer): boolean {
  let at = SCREEN_DESCRIPTOR_BYTES + paletteBytes(file[10] ?? 0)
  while (file[at] === EXTENSION) at = afterBlocks(file, at + EXTENSION_HEADER_BYTES)
  if (file[at] !== IMAGE) return false
  return (
    afterBlocks(file, at + IMAGE_HEADER_BYTES + paletteBytes(file[at + 9] ?? 0) + CODE_SIZE_BYTES) <=
    file.length
  )
}

/** Returns the size of the palette that a descriptor's flags announce, in bytes. */
const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns the offset after data blocks, which end with an empty one; beyond the file if that is missing. */
function afterBlocks(file: Buffer, start: number): number {
  let at = start
  while (file[at]) at += 1 + (file[at] ?? 0)
  return at + 1
}
