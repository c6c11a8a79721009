// The part of turndown that the board uses. Its published types would bring those of a browser's DOM.

declare module 'turndown' {
  class TurndownService {
    constructor(options: Readonly<Record<string, string>>)
    escape: (this: void, text: string) => string
    addRule(name: string, rule: TurndownService.Rule): this
    turndown(html: string): string
  }

  namespace TurndownService {
    interface HtmlNode {
      readonly nodeName: string
      readonly textContent: string
      readonly parentNode: HtmlNode | null
      readonly previousSibling: HtmlNode | null
      readonly nextSibling: HtmlNode | null
      readonly children: ArrayLike<HtmlNode>
      getAttribute(name: string): string | null
    }

    interface Rule {
      readonly filter: string | readonly string[]
      readonly replacement: (content: string, node: HtmlNode) => string
    }
  }

  export = TurndownService
}
