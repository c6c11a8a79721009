/** The byte that begins a marker, and by itself fills the space before one. */
const MARKER = 0xff
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** Markers that stand alone: stuffing in pixel data, TEM, restarts, start of image. The others tell their length. */
const STANDALONE = new Set([0x00, 0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8])

/**
 * A progressive picture has about ten scans. Each is a pass over all of its pixels, however few bytes it takes, so that
 * 5 MB of scans keep a decoder busy for minutes.
 */
const MAX_SCANS = 100

/**
 * Whether a JPEG has its end and no more scans than a picture needs. The decoder fills what is cut off with grey, and
 * says nothing. Goes from marker to marker, as the decoder does: a thumbnail's end, inside a segment, is not the
 * picture's, and what follows the picture's end does not matter.
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

/** Where the next marker's code is, at or after `at`. */
function nextMarker(file: Buffer, at: number): number {
  let place = at
  while (place < file.length && file[place] !== MARKER) place++
  while (file[place] === MARKER) place++
  return place
}
