import { isbot } from 'isbot'

/** Of a user agent; bots say what they are well before, and a long one would take long to look through. */
const MAX_LENGTH = 1024

/** Whether a user agent is no person's; who names none is not a browser either. */
export const isBot = (userAgent: string) => userAgent.trim() === '' || isbot(userAgent.slice(0, MAX_LENGTH))

const BROWSER = /^\s*mozilla\//i
const CRAWLER = /bots?(?![a-z])|crawl|spider|slurp|archiver|facebookexternalhit|whatsapp/i

/**
 * Whether a user agent is a crawler's. To isbot every program is a bot, but a program that reports page views (node,
 * PHP, curl, or one with a name of its own) is a board's front end: only browsers are held against isbot's whole list.
 */
export function isCrawler(userAgent: string): boolean {
  const text = userAgent.slice(0, MAX_LENGTH)
  return BROWSER.test(text) ? isbot(text) : CRAWLER.test(text)
}
