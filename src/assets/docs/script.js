// Sends the described requests to the page's own origin and shows the responses. Credentials stay in their two input
// fields and are never stored.

/** The maximum length of a displayed response, in characters. */
const MAX_DISPLAYED = 100_000

const account = document.getElementById('account')

/** Returns the names and values of a form's filled fields for one part of the request: path, query, header or body. */
const filledFields = (form, place) =>
  [...form.querySelectorAll(`[data-in="${place}"]`)]
    .filter(field => !field.matches('fieldset:disabled *'))
    .map(field => [field.dataset.name, field.type === 'file' ? field.files[0] : field.value])
    .filter(([, value]) => value !== undefined && value !== '')

function urlOf(form) {
  const values = new Map(filledFields(form, 'path'))
  const path = form.dataset.path.replaceAll(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(values.get(name) ?? ''),
  )
  const query = new URLSearchParams(filledFields(form, 'query'))
  // relative to the page, because a proxy may serve the board below a path
  return new URL(`.${path}${String(query) === '' ? '' : `?${query}`}`, document.baseURI)
}

function authorization() {
  const { email, password } = account.elements
  if (email.value === '' && password.value === '') return undefined
  const bytes = new TextEncoder().encode(`${email.value}:${password.value}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

const BODIES = {
  'application/json': form => form.querySelector('[name=json]').value,
  'application/x-www-form-urlencoded': form => new URLSearchParams(filledFields(form, 'body')),
  'multipart/form-data': form => {
    const body = new FormData()
    for (const [name, value] of filledFields(form, 'body')) body.append(name, value)
    return body
  },
}

function requestOf(form) {
  const headers = new Headers(filledFields(form, 'header'))
  const credentials = authorization()
  if (credentials !== undefined) headers.set('authorization', credentials)
  const type = form.elements.type?.value
  // the browser sets the type of forms itself, with the boundary
  if (type === 'application/json') headers.set('content-type', type)
  const body = BODIES[type]?.(form)
  // otherwise the browser asks for a password at each 401
  return { method: form.dataset.method, headers, body, credentials: 'omit', cache: 'no-store' }
}

const shellQuote = text => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the request as a curl command, which asks for the password. */
function curlOf(url, { method, headers, body }) {
  const parts = [method === 'GET' ? 'curl' : `curl -X ${method}`]
  if (headers.has('authorization')) parts.push(`-u ${shellQuote(account.elements.email.value)}`)
  for (const [name, value] of headers)
    if (name !== 'authorization') parts.push(`-H ${shellQuote(`${name}: ${value}`)}`)
  if (typeof body === 'string') parts.push(`--data-raw ${shellQuote(body)}`)
  if (body instanceof URLSearchParams)
    for (const [name, value] of body) parts.push(`--data-urlencode ${shellQuote(`${name}=${value}`)}`)
  if (body instanceof FormData)
    for (const [name, value] of body)
      parts.push(
        value instanceof File
          ? `-F ${shellQuote(`${name}=@${value.name}`)}`
          : `--form-string ${shellQuote(`${name}=${value}`)}`,
      )
  return [...parts, shellQuote(String(url))].join(' \\\n  ')
}

const dataUrlOf = blob =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(blob)
  })

/** Cuts a very long text, because the browser would lay out every line of it. */
const shorten = text =>
  text.length > MAX_DISPLAYED
    ? `${text.slice(0, MAX_DISPLAYED)}…\n(${text.length - MAX_DISPLAYED} more characters)`
    : text

function indentJson(text, type) {
  try {
    return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}

async function send(form) {
  const url = urlOf(form)
  const request = requestOf(form)
  const part = name => form.querySelector(`.response ${name}`)
  const [outcome, body, image] = ['.outcome', '.body', 'img'].map(part)
  part('.curl').textContent = curlOf(url, request)
  const started = performance.now()
  const response = await fetch(url, request)
  const blob = await response.blob()
  const ms = Math.round(performance.now() - started)
  const type = response.headers.get('content-type') ?? ''
  image.hidden = !type.startsWith('image/')
  body.hidden = !image.hidden || blob.size === 0
  if (image.hidden) body.textContent = shorten(indentJson(await blob.text(), type))
  else image.src = await dataUrlOf(blob)
  part('.headers').textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  outcome.textContent = `${response.status} ${response.statusText} · ${blob.size} bytes · ${ms} ms`
  outcome.classList.toggle('failed', !response.ok)
}

async function submit(form) {
  const button = form.querySelector('button')
  button.disabled = true
  const output = form.querySelector('.response')
  try {
    await send(form)
  } catch (error) {
    output.querySelector('.outcome').textContent = `No response: ${error.message}`
  } finally {
    output.hidden = false
    button.disabled = false
  }
}

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    void submit(form)
  })
  form.elements.type?.addEventListener('change', ({ target }) => {
    for (const body of form.querySelectorAll('fieldset'))
      body.hidden = body.disabled = body.dataset.type !== target.value
  })
}
account.hidden = false
account.addEventListener('submit', event => event.preventDefault())

/** Opens and scrolls to the operation or schema that the URL's fragment names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (!(target instanceof HTMLDetailsElement)) return
  target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()
