/** The byte that begins a marker. More of them may precede it as padding. */
const MARKER = 0xff
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** Markers without a length: stuffing in pixel data, TEM, restarts, start of image. */
const STANDALONE = new Set([0x00, 0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8])

/**
 * The maximum number of scans. A progressive image has about ten. Each is a pass over all pixels, even if it has few
 * bytes, so 5 MB of scans would keep a decoder busy for minutes.
 */
const MAX_SCANS = 100

/**
 * Returns whether a JPEG is complete and has no more scans than an image needs. The decoder silently fills missing parts
 * with grey. The check goes from marker to marker, as the decoder does: the end of a thumbnail, inside a segment, is not
 * the end of the image, and bytes after the end are ignored.
 */
export function isCompleteJpeg(file: Buffer): boolean {
  let scans = 0
  for (let at = nextMarker(file, 2); at < file.length; at = nextMarker(file, at)) {
    const marker = file[at++] ?? 0
    if (marker === END_OF_IMAGE) return true
    if (marker === START_OF_SCAN && ++scans > MAX_SCANS) return false
    if (!STANDALONE.has(marker)) at += at + 2 <= file.length ? file.readUInt16BE(at) : 2
  }
  return false
}

/** Returns the offset of the next marker's code, at or after `start`. */
function nextMarker(file: Buffer, start: number): number {
  let at = start
  while (at < file.length && file[at] !== MARKER) at++
  while (file[at] === MARKER) at++
  return at
}
