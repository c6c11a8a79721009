/** The maximum length of the name of a category, term or plan, in code points. */
export const MAX_NAME_LENGTH = 64
export const NAME_TAKEN = 'is already taken (case is ignored)'

/** The arrangements as people read them. */
export const ARRANGEMENT_NAMES = { remote: 'Remote', onsite: 'On-site', hybrid: 'Hybrid' }
