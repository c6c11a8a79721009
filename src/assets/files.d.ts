// Files imported `with { type: 'file' }`, as the path they have, or `with { type: 'text' }`, as their text.

declare module '*.woff2' {
  const path: string
  export = path
}

declare module '*.png' {
  const path: string
  export = path
}

declare module '*.mmdb' {
  const path: string
  export = path
}

declare module '*.jsonl' {
  const text: string
  export = text
}

declare module '*.liquid' {
  const text: string
  export = text
}

declare module '*.css' {
  const text: string
  export = text
}

declare module '*.svg' {
  const text: string
  export = text
}

declare module '*.md' {
  const text: string
  export = text
}

declare module '*/script.js' {
  const text: string
  export = text
}
