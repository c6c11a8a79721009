import { isbot } from 'isbot'

/** Of a user agent; bots say what they are well before, and a long one would take long to look through. */
const LOOKED_AT = 1024

/** Whether a user agent is no person's; who names none is not a browser either. */
export const isBot = (userAgent: string) => userAgent.trim() === '' || isbot(userAgent.slice(0, LOOKED_AT))
