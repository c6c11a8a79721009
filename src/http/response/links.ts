import type { Page } from './paging.ts'

/** The place of the page's number in a URL whose `page` is empty. */
const PAGE_NUMBER = /(?<=[?&]page=)(?=[&>])/

/** Builds absolute URLs from the configured base URL, never from a request's Host header. */
export class Links {
  /**
   * @param base the base URL, without a slash at the end
   * @param cardVersionNow returns what the preview images of all jobs have in common; when it changes, so do all their URLs
   */
  constructor(
    readonly base: string,
    private readonly cardVersionNow: () => string,
  ) {}

  get cardVersion(): string {
    return this.cardVersionNow()
  }

  to(path: string): string {
    return this.base + path
  }

  job(id: number): string {
    return this.to(`/jobs/${id}.json`)
  }

  /** @param version a hash of everything that the image shows */
  preview(id: number, version: string): string {
    return this.to(`/jobs/${id}.png?v=${version}`)
  }

  /** Returns the URL of a logo file, or `''` if there is no logo. */
  logo(name: string): string {
    return name === '' ? '' : this.to(`/logos/${name}`)
  }

  /** Returns the `Link` header (RFC 8288) of a page in a list of `total` items, for the requested path and query. */
  pages(path: string, query: ReadonlyMap<string, string>, { page, perPage }: Page, total: number): string {
    const last = Math.max(1, Math.ceil(total / perPage))
    const parameters = new URLSearchParams([...query])
    parameters.set('page', '')
    parameters.set('per_page', String(perPage))
    const numberless = `<${this.to(path)}?${parameters}>`
    const url = (number: number) => numberless.replace(PAGE_NUMBER, String(number))
    const links = [`${url(1)}; rel="first"`]
    if (page > 1) links.push(`${url(Math.min(page - 1, last))}; rel="prev"`)
    if (page < last) links.push(`${url(page + 1)}; rel="next"`)
    links.push(`${url(last)}; rel="last"`)
    return links.join(', ')
  }
}
