/**
 * Returns the ids of the jobs that an index doesn't have, has in another version, or must not have any more.
 * @param indexed the id of each job in the index, followed by its hash; undefined if it has none
 * @param current the hash of every job that can be found, by its id
 */
export function outdatedIds(
  indexed: Float64Array | undefined,
  current: ReadonlyMap<number, number>,
): number[] {
  const hashes = new Map<number, number>()
  if (indexed)
    for (let at = 0; at < indexed.length; at += 2) hashes.set(indexed[at] ?? 0, indexed[at + 1] ?? 0)
  const changed: number[] = []
  for (const [id, hash] of current) {
    if (hashes.get(id) !== hash) changed.push(id)
    hashes.delete(id)
  }
  return [...changed, ...hashes.keys()]
}
