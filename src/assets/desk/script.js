// Improves the pages for accounts, which work without it: prevents sending a form twice, and shows the preview of a job
// beside its form.

const DEBOUNCE_MS = 600

document.querySelector('#summary')?.focus()

document.addEventListener('submit', event => {
  const { target: form, submitter } = event
  if (event.defaultPrevented || submitter?.formTarget === '_blank') return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
  submitter?.setAttribute('aria-busy', 'true')
})
// A page that comes back from the browser's cache can be sent again.
addEventListener('pageshow', () =>
  document.querySelectorAll('form').forEach(form => delete form.dataset.sent),
)

const form = document.querySelector('[data-job-form]')
const button = form?.querySelector('[data-preview]')
const pane = document.querySelector('#preview')
let timer
let pending

/** Fetches the job's page as it would be, and shows its posting. */
async function preview() {
  pending?.abort()
  pending = new AbortController()
  const body = new FormData(form)
  for (const name of ['logo', 'kept_logo']) body.delete(name)
  try {
    const response = await fetch(button.formAction, { method: 'POST', body, signal: pending.signal })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const posting = page.querySelector('.posting')
    if (!response.ok || !posting) return
    posting.querySelectorAll('a').forEach(link => link.removeAttribute('href'))
    pane.replaceChildren(document.adoptNode(posting))
  } catch (error) {
    if (error.name !== 'AbortError') throw error
  }
}

button?.addEventListener('click', event => {
  event.preventDefault()
  const isOpen = pane.hidden
  pane.hidden = !isOpen
  pane.parentElement.classList.toggle('previewing', isOpen)
  button.textContent = isOpen ? 'Close preview' : 'Preview'
  if (isOpen) void preview()
})
form?.addEventListener('input', () => {
  clearTimeout(timer)
  if (!pane.hidden) timer = setTimeout(() => void preview(), DEBOUNCE_MS)
})
