/** Names of categories, terms and plans: their length in code points. */
export const MAX_NAME_LENGTH = 64
export const NAME_TAKEN = 'is already taken, whatever its case'

/** What the arrangements are called, to people. */
export const ARRANGEMENT_NAMES = { remote: 'Remote', onsite: 'On-site', hybrid: 'Hybrid' }
