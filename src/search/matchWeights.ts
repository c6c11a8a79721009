// The weights of terms that match a word, by how they match. The word itself has 1.

/** The weights of a word's singular or plural, and of other forms: `nurses` and `nursing` for `nurse`. */
export const NUMBER_WEIGHT = 0.7
export const FORM_WEIGHT = 0.5
/** The same weights if no job has the word itself. */
export const UNKNOWN_NUMBER_WEIGHT = 0.8
export const UNKNOWN_FORM_WEIGHT = 0.6
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

/** The weight of optional words, such as `the` or `job`: they only decide between jobs that match the other words alike. */
export const OPTIONAL_WEIGHT = 0.15
