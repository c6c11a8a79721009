// Improves pages that work without it: formats dates and money in the visitor's language, updates results while typing,
// leads back to the results, and copies a job's link. Stores nothing.

const LANGUAGES = navigator.languages
const DEBOUNCE_MS = 250
const MINUTE = 60_000
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE],
]
const MAX_RELATIVE_AGE = 30 * 86_400_000

const style = matchMedia('(min-width: 48rem)').matches ? 'long' : 'short'
const relative = new Intl.RelativeTimeFormat(LANGUAGES, { numeric: 'auto', style })
const day = new Intl.DateTimeFormat(LANGUAGES, { dateStyle: 'long' })
const shortDay = new Intl.DateTimeFormat(LANGUAGES, { dateStyle: 'medium' })

function formatTime(element) {
  const date = new Date(element.dateTime)
  const age = Date.now() - date.getTime()
  const [unit, length] = UNITS.find(([, ms]) => age >= ms) ?? ['minute', MINUTE]
  element.title = day.format(date)
  if ('day' in element.dataset) element.textContent = element.title
  else if (age < MINUTE) element.textContent = relative.format(0, 'second')
  else if (age < MAX_RELATIVE_AGE) element.textContent = relative.format(-Math.floor(age / length), unit)
  else element.textContent = shortDay.format(date)
}

function formatMoney(element) {
  const { currency, money } = element.dataset
  const format = new Intl.NumberFormat(LANGUAGES, { style: 'currency', currency, maximumFractionDigits: 0 })
  element.textContent = element.textContent.replace(money, () => format.format(element.value))
}

function formatAll(root) {
  root.querySelectorAll('time[datetime]').forEach(formatTime)
  root.querySelectorAll('data[data-money]').forEach(formatMoney)
}

formatAll(document)

const form = document.querySelector('form[data-live]')
let pending
let timer

/** Fetches the results of the form's current values and shows them in place of the old ones. */
async function update() {
  clearTimeout(timer)
  pending?.abort()
  pending = new AbortController()
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim() !== ''))
  const url = String(query) === '' ? '/' : `/?${query}`
  try {
    const response = await fetch(url, { signal: pending.signal, headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (response.ok) replace(page, url)
    else location.assign(url)
  } catch (error) {
    if (error.name !== 'AbortError') location.assign(url)
  }
}

function replace(page, url) {
  for (const id of ['heading', 'filters', 'results'])
    document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes)
  for (const select of form.querySelectorAll('select')) {
    const { value } = select
    select.replaceChildren(...page.querySelector(`select[name=${select.name}]`).childNodes)
    select.value = value
  }
  const feed = page.querySelector('[data-feed]').href
  document.querySelector('[data-feed]').href = feed
  document.title = page.title
  history.replaceState(null, '', url)
  formatAll(document.getElementById('results'))
}

form?.addEventListener('input', event => {
  clearTimeout(timer)
  if (event.target.name === 'q') timer = setTimeout(() => void update(), DEBOUNCE_MS)
  else void update()
})
form?.addEventListener('submit', event => {
  event.preventDefault()
  void update()
})

/** Leads back to the list that the visitor came from. */
function linkBack(link) {
  const from = URL.parse(document.referrer)
  if (from?.origin !== location.origin || from.pathname !== '/') return
  link.href = from.pathname + from.search
  if (from.search !== '') link.textContent = 'Back to results'
}

const back = document.querySelector('[data-back]')
if (back) linkBack(back)

/** Makes a link copy its address instead of opening it. */
function copyOnClick(link) {
  link.textContent = 'Copy link'
  link.addEventListener('click', event => {
    event.preventDefault()
    void navigator.clipboard.writeText(link.href).then(() => (link.textContent = 'Link copied'))
  })
}

const copied = document.querySelector('[data-copy]')
if (copied && navigator.clipboard) copyOnClick(copied)
