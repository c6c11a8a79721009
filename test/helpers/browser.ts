import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import { until } from './process.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const path = NAMES.map(name => Bun.which(name)).find(found => found !== null)

/** Whether to run browser tests. Without a browser they are skipped, except in CI, which installs one. */
export const hasBrowser = path !== undefined || process.env['CI'] !== undefined
if (!hasBrowser) console.warn('Browser tests are skipped: Chromium is not installed.')

const FLAGS =
  '--no-sandbox --disable-quic --disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars'

/** The views in which pages are checked: both widths and both colour schemes. `VIEWS=all` checks every combination. */
export const VIEWS: readonly (readonly [width: number, scheme: 'light' | 'dark'])[] =
  process.env['VIEWS'] === 'all'
    ? [320, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => [width, scheme] as const))
    : [
        [320, 'dark'],
        [1280, 'light'],
      ]

/** The program of axe, which is loaded into pages. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe about colours and sizes. All others are about a page's structure, which is the same in every view. */
export const VISUAL_RULES = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
]

/** Records violations of a page's content security policy. */
const WATCH = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  (window.violations ??= []).push(violatedDirective + ' ' + blockedURI))`

let profile: string | undefined
/** Tabs to be used again: opening one takes as long as loading four pages. */
const idle: Bun.WebView[] = []

/** Opens a tab of this process's browser. `Browser.end` removes its profile folder. */
async function openView(): Promise<Bun.WebView> {
  profile ??= mkdtempSync(join(tmpdir(), 'corkboard-browser-'))
  const view = new Bun.WebView({
    dataStore: { directory: profile },
    backend: { type: 'chrome', ...(path !== undefined && { path }), argv: FLAGS.split(' ') },
  })
  await view.navigate('about:blank')
  await view.cdp('Page.enable')
  await view.cdp('Page.addScriptToEvaluateOnNewDocument', { source: WATCH })
  return view
}

/** Returns a tab on an empty page, without a history. */
async function takeView(): Promise<Bun.WebView> {
  const view = idle.pop()
  if (!view) return await openView()
  await view.navigate('about:blank')
  await view.cdp('Page.resetNavigationHistory')
  return view
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The height of a window, in pixels. */
const HEIGHT = 900

interface Visitor {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  readonly language?: string
  readonly scripts?: boolean
}

/** The parameters of the events that `watch` listens to. */
interface EventParameters {
  readonly request?: { readonly url: string }
  readonly entry?: { readonly text: string }
}

/** A visitor's browser. */
export class Browser {
  private isWatched = false

  private constructor(
    private readonly view: Bun.WebView,
    private readonly base: string,
  ) {}

  static async open(base: string, visitor: Visitor = {}): Promise<Browser> {
    const { width = 1280, height = HEIGHT, scheme = 'light', language = 'en-US', scripts = true } = visitor
    const view = await takeView()
    const userAgent = String(await view.evaluate('navigator.userAgent'))
    await view.cdp('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: language })
    await view.cdp('Emulation.setScriptExecutionDisabled', { value: !scripts })
    const browser = new Browser(view, base)
    await browser.show(width, scheme, height)
    return browser
  }

  /** Shows the open page in another width and colour scheme. */
  private async show(width: number, scheme: 'light' | 'dark', height = HEIGHT): Promise<void> {
    await this.view.resize(width, height)
    await this.view.cdp('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    })
  }

  go = (to: string) => this.view.navigate(this.base + to)
  type = (text: string) => this.view.type(text)
  press = (key: 'Tab' | 'Enter') => this.view.press(key)
  screenshot = () => this.view.screenshot({ encoding: 'buffer' })

  /** Records requested URLs and the browser's complaints from now on. */
  async watch(): Promise<{ readonly requestedUrls: string[]; readonly complaints: string[] }> {
    this.isWatched = true
    const requestedUrls: string[] = []
    const complaints: string[] = []
    const listen = (type: string, note: (parameters: EventParameters) => void) =>
      // Bun has no types for the protocol's events
      this.view.addEventListener(type, event => note((event as unknown as { data: EventParameters }).data))
    listen('Network.requestWillBeSent', ({ request }) => requestedUrls.push(String(request?.url)))
    listen('Log.entryAdded', ({ entry }) => complaints.push(String(entry?.text)))
    listen('Runtime.exceptionThrown', parameters => complaints.push(JSON.stringify(parameters)))
    listen('Runtime.consoleAPICalled', parameters => complaints.push(JSON.stringify(parameters)))
    for (const domain of ['Network', 'Log', 'Runtime']) await this.view.cdp(`${domain}.enable`)
    return { requestedUrls, complaints }
  }

  /** Scrolls to an element and clicks its middle. */
  async click(selector: string): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(
      `(element => {
        element.scrollIntoView({ block: 'center' })
        const { x, y, width, height } = element.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
      })(document.querySelector(${JSON.stringify(selector)}))`,
    )
    await this.view.click(x, y)
  }

  /** Stores a cookie, such as `name=value`, for the board. */
  async setCookie(cookie: string): Promise<void> {
    const [name = '', value = ''] = cookie.split('=')
    await this.view.cdp('Network.setCookie', { name, value, url: this.base })
  }

  /** Chooses a file in a form. */
  async chooseFile(selector: string, file: string): Promise<void> {
    const { root } = await this.view.cdp<{ root: { nodeId: number } }>('DOM.getDocument')
    const input = { nodeId: root.nodeId, selector }
    const { nodeId } = await this.view.cdp<{ nodeId: number }>('DOM.querySelector', input)
    await this.view.cdp('DOM.setFileInputFiles', { nodeId, files: [file] })
  }

  /** Evaluates an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    return (await this.view.evaluate(expression)) as T // the caller knows the expression
  }

  textOf = (selector: string) =>
    this.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent.trim() ?? ''`)

  textsOf = (selector: string) =>
    this.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) => textContent.trim())`,
    )

  /** Returns whether the page is wider than the viewport. */
  overflows = () =>
    this.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

  /**
   * Returns what is wrong with the open page in each of VIEWS: axe's violations and overflow, and violations of its content
   * security policy.
   */
  async faults(): Promise<unknown[]> {
    const faults: unknown[] = []
    for (const [width, scheme] of VIEWS) {
      await this.show(width, scheme)
      const rules = scheme === 'dark' ? { runOnly: VISUAL_RULES } : {}
      for (const violation of await this.violations(rules)) faults.push([width, scheme, violation])
      if (await this.overflows()) faults.push([width, scheme, 'overflow'])
    }
    return [...faults, ...(await this.evaluate<string[]>('window.violations ?? []'))]
  }

  /** Returns axe's violations on the open page: the rule, its impact and the first element. */
  async violations(options: RunOptions = {}): Promise<unknown[]> {
    if (!(await this.evaluate<boolean>('"axe" in window'))) await this.evaluate(`(() => {${AXE}})()`)
    return await this.evaluate(
      `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
        violations.map(({ id, impact, nodes }) => [id, impact, nodes[0].html]))`,
    )
  }

  /** Returns the current path and query. */
  where = () => this.evaluate<string>('location.pathname + location.search')

  /** Waits until a page is loaded on which an expression is true, also across navigations. */
  async until(expression: string): Promise<void> {
    let is = false
    const look = async () => {
      try {
        is = await this.evaluate<boolean>(`document.readyState === 'complete' && (${expression})`)
      } catch {
        // evaluation fails during navigation
      }
    }
    let looking: Promise<void> | undefined
    await until(() => {
      looking ??= look().then(() => (looking = undefined))
      return is
    })
    await looking
  }

  close(): void {
    if (this.isWatched) this.view.close()
    else idle.push(this.view)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Closes this process's browser and removes its profile. */
  static async end(): Promise<void> {
    if (profile === undefined) return
    const view = await openView()
    // They close with the browser. Another file of tests may open it again.
    idle.length = 0
    const pid = Number(readlinkSync(join(profile, 'SingletonLock')).split('-').at(-1))
    await view.cdp('Browser.close')
    await until(() => !isRunning(pid))
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}
