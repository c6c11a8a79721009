import { parse } from '@babel/parser'

/** A node of the syntax tree. Its properties depend on its type. */
export type Node = { readonly type: string; readonly [key: string]: unknown }

/** A parsed TypeScript file. */
export type Source = {
  /** The path below src, such as `features/jobs/routes.ts`. */
  readonly path: string
  readonly lines: number
  readonly nodes: readonly Node[]
  /** What it imports or re-exports, types and `import()` included. */
  readonly imports: readonly string[]
}

export function readSource(path: string, text: string): Source {
  const tree = parse(text, { sourceType: 'module', plugins: ['typescript'], createImportExpressions: true })
  const nodes = [...below(tree.program)]
  return {
    path,
    lines: text.split('\n').length - 1,
    nodes,
    imports: nodes.flatMap(node => importedBy(node) ?? []),
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Returns the name of an identifier, of a string, or of the last part of `a.b.c`. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Identifier') return String(value.name)
  if (value.type === 'StringLiteral') return String(value.value)
  return isMember(value) ? nameOf(value.property) : undefined
}

const MEMBERS = ['MemberExpression', 'OptionalMemberExpression', 'MetaProperty']

export const isMember = (node: Node) => MEMBERS.includes(node.type)

function* below(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* below(one)
  if (!isNode(value)) return
  yield value
  for (const part of Object.values(value)) yield* below(part)
}

function importedBy(node: Node): string | undefined {
  if (node.type === 'TSImportType') return nameOf(node.argument)
  const isRequire = node.type === 'CallExpression' && nameOf(node.callee) === 'require'
  const [required] = isRequire && Array.isArray(node.arguments) ? node.arguments : []
  return nameOf(node.source ?? required)
}
