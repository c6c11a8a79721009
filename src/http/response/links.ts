import type { Page } from './paging.ts'

/** Absolute URLs, built from the configured base URL and never from a request's Host. */
export class Links {
  /**
   * @param base without a slash at its end
   * @param edition what the preview images of all jobs have in common: with it, all their addresses change
   */
  constructor(
    readonly base: string,
    readonly edition: string,
  ) {}

  to(path: string): string {
    return this.base + path
  }

  job(id: number): string {
    return this.to(`/jobs/${id}.json`)
  }

  /** @param version of what the image shows */
  preview(id: number, version: string): string {
    return this.to(`/jobs/${id}.png?v=${version}`)
  }

  /** Of a logo file; none has none. */
  logo(name: string): string {
    return name === '' ? '' : this.to(`/logos/${name}`)
  }

  /** The `Link` header (RFC 8288) of one page of a list that has `total` things, for the path and query it was asked by. */
  pages(path: string, query: ReadonlyMap<string, string>, { page, perPage }: Page, total: number): string {
    const last = Math.max(1, Math.ceil(total / perPage))
    const url = (number: number) => {
      const parameters = new URLSearchParams([...query])
      parameters.set('page', String(number))
      parameters.set('per_page', String(perPage))
      return `<${this.to(path)}?${parameters}>`
    }
    const links = [`${url(1)}; rel="first"`]
    if (page > 1) links.push(`${url(Math.min(page - 1, last))}; rel="prev"`)
    if (page < last) links.push(`${url(page + 1)}; rel="next"`)
    links.push(`${url(last)}; rel="last"`)
    return links.join(', ')
  }
}
