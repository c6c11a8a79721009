import { join } from 'node:path'
import { CardRenderer } from './cardRenderer.ts'
import { LogoEncoder } from './logoEncoder.ts'
import { LogoFiles } from './logoFiles.ts'

/** The fonts of the operator, in the data directory. */
const FONT_FOLDER = 'fonts'

/** The services for the images of a board. */
export interface Images {
  readonly logos: LogoFiles
  readonly logoEncoder: LogoEncoder
  readonly cardRenderer: CardRenderer
}

/** Opens the images of a data directory. @param warn called if a preview card can't be drawn */
export async function openImages(
  data: string,
  warn: Parameters<typeof CardRenderer.open>[1],
): Promise<Images> {
  const logos = await LogoFiles.open(data)
  const cardRenderer = await CardRenderer.open(join(data, FONT_FOLDER), warn)
  return { logos, logoEncoder: new LogoEncoder(), cardRenderer }
}
