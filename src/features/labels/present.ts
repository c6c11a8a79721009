import type { LabelRow } from '../../store/rows.ts'
import type { Label } from './schema.ts'

/** Returns a category or a term as everybody sees it. */
export const presentLabel = ({ id, name }: LabelRow): Label => ({ id, name })
