// Improves the pages for accounts, which work without it: prevents sending a form twice.

document.querySelector('#summary')?.focus()

document.addEventListener('submit', event => {
  const { target: form, submitter } = event
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
  submitter?.setAttribute('aria-busy', 'true')
})
// A page that comes back from the browser's cache can be sent again.
addEventListener('pageshow', () =>
  document.querySelectorAll('form').forEach(form => delete form.dataset.sent),
)
