// The weights of terms that match a word, by how they match. The word itself has 1.

/** The weight of another form of a word. */
export const STEM_WEIGHT = 0.35
/** The weight of another form of a word that no job has. */
export const UNKNOWN_STEM_WEIGHT = 0.8
/** The weight of a compound that ends with the word. */
export const COMPOUND_WEIGHT = 0.4
/** The weight of a term that is one typing error away. */
export const ONE_TYPO_WEIGHT = 0.45
/** The weight of such a term while the word may still be the beginning of others, which are likelier. */
export const PREFIX_TYPO_WEIGHT = 0.05
/** The weight of a term that is two typing errors away. */
export const TWO_TYPOS_WEIGHT = 0.35

/** The weight of a longer term that begins with the word, multiplied by the share of it that was typed. */
export const PREFIX_WEIGHT = 0.8
/** The weight of a longer term if the word itself is a term: `java` means JavaScript less likely than `javas` does. */
export const KNOWN_PREFIX_WEIGHT = 0.2
