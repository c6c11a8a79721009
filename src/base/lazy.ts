/** Returns a function that creates a value when it is first called, and returns the same value from then on. */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined
  return () => (created ??= { value: create() }).value
}
