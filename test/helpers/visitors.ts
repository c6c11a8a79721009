/** User agents of a browser and of a bot. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
export const BOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'

/** An address in each of these countries, by the embedded database. */
export const ADDRESSES = {
  'United States': '8.8.8.8',
  Germany: '194.25.0.60',
  France: '212.27.48.10',
  Japan: '133.242.0.1',
  Brazil: '200.160.2.3',
  China: '240e::1',
} as const
