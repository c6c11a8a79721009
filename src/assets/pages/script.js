// Refines a page that works without it: dates and money in the visitor's language, results while one types, and a note
// to the board that somebody went to apply. Nothing else is told, and nothing is kept.

const LANGUAGES = navigator.languages
const PAUSE = 250
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const AS_DATE_AFTER = 30 * 86_400_000

const relative = new Intl.RelativeTimeFormat(LANGUAGES, { numeric: 'auto' })
const day = new Intl.DateTimeFormat(LANGUAGES, { dateStyle: 'long' })

function tellTime(element) {
  const date = new Date(element.dateTime)
  const age = Date.now() - date.getTime()
  const [unit, length] = UNITS.find(([, ms]) => age >= ms) ?? ['minute', 60_000]
  const isRecent = !('day' in element.dataset) && age < AS_DATE_AFTER
  element.title = day.format(date)
  element.textContent = isRecent
    ? relative.format(-Math.floor(Math.max(age, 0) / length), unit)
    : element.title
}

function tellMoney(element) {
  const { currency, money } = element.dataset
  const format = new Intl.NumberFormat(LANGUAGES, { style: 'currency', currency, maximumFractionDigits: 0 })
  element.textContent = element.textContent.replace(money, () => format.format(element.value))
}

function refine(root) {
  root.querySelectorAll('time[datetime]').forEach(tellTime)
  root.querySelectorAll('data[data-money]').forEach(tellMoney)
}

refine(document)

const form = document.querySelector('form[data-live]')
let asked
let timer

/** Puts the answer to what the form says now in the place of what stands there. */
async function show() {
  clearTimeout(timer)
  asked?.abort()
  asked = new AbortController()
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim() !== ''))
  const url = String(query) === '' ? '/' : `/?${query}`
  try {
    const response = await fetch(url, { signal: asked.signal, headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (response.ok) replace(page, url)
    else location.assign(url)
  } catch (error) {
    if (error.name !== 'AbortError') location.assign(url)
  }
}

function replace(page, url) {
  for (const id of ['heading', 'clear', 'results'])
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
  refine(document.getElementById('results'))
}

form?.addEventListener('input', event => {
  clearTimeout(timer)
  if (event.target.name === 'q') timer = setTimeout(() => void show(), PAUSE)
  else void show()
})
form?.addEventListener('submit', event => {
  event.preventDefault()
  void show()
})

document.querySelector('.apply a')?.addEventListener('click', () => {
  navigator.sendBeacon('/events.json', new URLSearchParams({ path: `${location.pathname}/apply` }))
})
