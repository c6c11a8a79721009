import { promises as fs } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { RequestContext } from '../../http/request/context.ts'
import { contentTypeOf } from '../../http/response/assets.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import type { Reply } from '../../http/response/reply.ts'
import { EncodedReply, type ResponseCache } from '../../http/response/responseCache.ts'

/** The name of the folder in `--pages-dir`. */
export const PUBLIC_FOLDER = 'public'

/** The characters that separate folders, drives or streams on any system, and NUL, which ends a path. */
const SEPARATORS = /[/\\:\0]/
const COMPRESSIBLE = /^text\/|[/+](json|xml|javascript)$/

/**
 * The operator's own files, such as `favicon.ico`, each at its path in the folder. They are looked up at each request, so
 * that new and changed files need no restart, and their bytes are cached.
 *
 * `@elysiajs/static` (1.4.10) can't do this: its routes aren't made by `route.ts`, so the pipeline gets no replies from
 * them. When it reads files at each request, it serves dotfiles and links out of the folder. When it lists them at the
 * start, it finds no new files, a file can shadow `/jobs/7`, and a changed file is still 304.
 */
export class PublicFiles {
  private readonly folder: string

  constructor(
    pagesDir: string,
    private readonly cache: ResponseCache,
  ) {
    this.folder = join(pagesDir, PUBLIC_FOLDER)
  }

  /** Replies with the file at a path that no route has; undefined if there is none. */
  async reply({ path }: RequestContext): Promise<Reply | undefined> {
    const names = namesIn(path)
    if (!names) return undefined
    const named = join(this.folder, ...names)
    const file = await this.realPath(named)
    if (file === undefined) return undefined
    const stats = await fs.stat(file)
    if (!stats.isFile()) return undefined
    const type = contentTypeOf(named)
    // The key contains the real path, so that all spellings share the entry, and the version of the file.
    const key = `public ${type} ${file} ${stats.ctimeMs} ${stats.size}`
    const read = async () => encodedFile(await fs.readFile(file), type)
    return new EncodedReply(await this.cache.getOrCreate(key, () => 0, read))
  }

  /** Resolves the links in a path. Returns undefined if there is no file, or if it is hidden or outside the folder. */
  private async realPath(path: string): Promise<string | undefined> {
    try {
      const [root, file] = await Promise.all([fs.realpath(this.folder), fs.realpath(path)])
      return relative(root, file).split(sep).every(isPublicName) ? file : undefined
    } catch {
      return undefined
    }
  }
}

/** Returns the decoded segments of a path; undefined if one of them can't be the name of a public file. */
function namesIn(path: string): string[] | undefined {
  try {
    const names = path.slice(1).split('/').map(decodeURIComponent)
    return names.every(isPublicName) ? names : undefined
  } catch {
    // The path is not UTF-8.
    return undefined
  }
}

/** Returns whether a name can be public. Names that begin with a dot are hidden, including `..`. */
const isPublicName = (name: string) => name !== '' && !name.startsWith('.') && !SEPARATORS.test(name)

function encodedFile(bytes: Uint8Array, type: string): EncodedBody {
  const [mediaType = ''] = type.split(';')
  return COMPRESSIBLE.test(mediaType)
    ? EncodedBody.bytes(bytes, type)
    : EncodedBody.file(bytes, type, Bun.hash.wyhash(bytes).toString(36))
}
