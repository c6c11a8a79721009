import type { LabelRow } from '../../store/rows.ts'

/** A category or a term, as everybody sees it. */
export const presentLabel = ({ id, name }: LabelRow) => ({ id, name })
