import { isbot } from 'isbot'

/** How much of a user agent is examined: bots name themselves early, and a long text would take long to search. */
const MAX_LENGTH = 1024

/** Whether a user agent is not a person's browser; a missing one is a bot's too. */
export const isBot = (userAgent: string) => userAgent.trim() === '' || isbot(userAgent.slice(0, MAX_LENGTH))

const BROWSER = /^\s*mozilla\//i
const CRAWLER = /bots?(?![a-z])|crawl|spider|slurp|archiver|facebookexternalhit|whatsapp/i

/**
 * Whether a user agent is a crawler's. To isbot every program is a bot, but a program that reports page views (node,
 * PHP, curl, or one with its own name) is a board's front end: only browsers are checked against isbot's whole list.
 */
export function isCrawler(userAgent: string): boolean {
  const text = userAgent.slice(0, MAX_LENGTH)
  return BROWSER.test(text) ? isbot(text) : CRAWLER.test(text)
}
