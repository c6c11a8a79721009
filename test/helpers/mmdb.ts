import { isIPv6 } from 'node:net'

/** A value in a database: text, an integer, or a map. */
export type Entry = string | number | { readonly [name: string]: Entry }

type Node = [Link, Link]
/** A child node, an entry's offset in the data section, or nothing. */
type Link = Node | number | undefined

const SEPARATOR = Buffer.alloc(16)
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/** Builds a database in MaxMind's format from entries by network, such as `192.0.2.0/24`. */
export function mmdb(networks: Readonly<Record<string, Entry>>, ipVersion: 4 | 6 = 6): Buffer {
  const root: Node = [undefined, undefined]
  const data: Buffer[] = []
  for (const [network, entry] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), Buffer.concat(data).length)
    data.push(encode(entry))
  }
  const nodes = nodesOf(root)
  const tree = Buffer.concat(nodes.map(node => Buffer.concat(node.map(link => record(link, nodes)))))
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: 'Test-Country',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
  })
  return Buffer.concat([tree, SEPARATOR, ...data, MARKER, metadata])
}

function insert(root: Node, bits: readonly number[], place: number) {
  let node = root
  for (const [at, bit] of bits.entries()) {
    const side = bit === 0 ? 0 : 1
    if (at === bits.length - 1) node[side] = place
    else {
      const below = node[side]
      const next: Node = Array.isArray(below) ? below : [undefined, undefined]
      node[side] = next
      node = next
    }
  }
}

/** Returns the bits of a network. In an IPv6 tree, IPv4 networks are in the first 2^32 addresses. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length] = network.split('/')
  const bytes = isIPv6(address) ? bytesOf(address) : address.split('.').map(Number)
  const bits = bytes
    .flatMap(byte => [...byte.toString(2).padStart(8, '0')].map(Number))
    .slice(0, Number(length))
  return isIPv6(address) || ipVersion === 4 ? bits : [...Array<number>(96).fill(0), ...bits]
}

function bytesOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [head, tail].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0')
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])].map(group => parseInt(group, 16))
  return groups.flatMap(group => [group >> 8, group & 255])
}

function nodesOf(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes) for (const link of node) if (Array.isArray(link)) nodes.push(link)
  return nodes
}

function record(link: Link, nodes: readonly Node[]): Buffer {
  const value = Array.isArray(link)
    ? nodes.indexOf(link)
    : nodes.length + (link === undefined ? 0 : SEPARATOR.length + link)
  const bytes = Buffer.alloc(3)
  bytes.writeUIntBE(value, 0, 3)
  return bytes
}

/** Encodes types 2 (text), 6 (uint32) and 7 (map), each with fewer than 29 bytes or names. */
function encode(entry: Entry): Buffer {
  if (typeof entry === 'string')
    return Buffer.concat([Buffer.from([(2 << 5) | entry.length]), Buffer.from(entry)])
  if (typeof entry === 'number') {
    const bytes = Buffer.from([(6 << 5) | 4, 0, 0, 0, 0])
    bytes.writeUInt32BE(entry, 1)
    return bytes
  }
  const parts = Object.entries(entry).flatMap(([name, value]) => [encode(name), encode(value)])
  return Buffer.concat([Buffer.from([(7 << 5) | (parts.length / 2)]), ...parts])
}
