// Sends what the page describes to the address that the page came from, and shows what was answered. Credentials stay in
// their two fields: nothing is kept.

/** Characters of an answer. */
const SHOWN = 100_000

const account = document.getElementById('account')

/** The fields of a form that say something, at one place of the request. */
const given = (form, place) =>
  [...form.querySelectorAll(`[data-in="${place}"]`)]
    .filter(field => !field.matches('fieldset:disabled *'))
    .map(field => [field.dataset.name, field.type === 'file' ? field.files[0] : field.value])
    .filter(([, value]) => value !== undefined && value !== '')

function urlOf(form) {
  const values = new Map(given(form, 'path'))
  const path = form.dataset.path.replaceAll(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(values.get(name) ?? ''),
  )
  const query = new URLSearchParams(given(form, 'query'))
  // below the folder that the page is in, which a proxy may have put it into
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
  'application/x-www-form-urlencoded': form => new URLSearchParams(given(form, 'body')),
  'multipart/form-data': form => {
    const body = new FormData()
    for (const [name, value] of given(form, 'body')) body.append(name, value)
    return body
  },
}

function requestOf(form) {
  const headers = new Headers(given(form, 'header'))
  const credentials = authorization()
  if (credentials !== undefined) headers.set('authorization', credentials)
  const type = form.elements.type?.value
  // the browser itself gives a form its type, with a boundary
  if (type === 'application/json') headers.set('content-type', type)
  const body = BODIES[type]?.(form)
  // with credentials of the browser's own, it would ask for a password at each 401
  return { method: form.dataset.method, headers, body, credentials: 'omit', cache: 'no-store' }
}

const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a command, which asks for the password. */
function curlOf(url, { method, headers, body }) {
  const parts = [method === 'GET' ? 'curl' : `curl -X ${method}`]
  if (headers.has('authorization')) parts.push(`-u ${quoted(account.elements.email.value)}`)
  for (const [name, value] of headers)
    if (name !== 'authorization') parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (typeof body === 'string') parts.push(`--data-raw ${quoted(body)}`)
  if (body instanceof URLSearchParams)
    for (const [name, value] of body) parts.push(`--data-urlencode ${quoted(`${name}=${value}`)}`)
  if (body instanceof FormData)
    for (const [name, value] of body)
      parts.push(
        value instanceof File
          ? `-F ${quoted(`${name}=@${value.name}`)}`
          : `--form-string ${quoted(`${name}=${value}`)}`,
      )
  return [...parts, quoted(String(url))].join(' \\\n  ')
}

const asUrl = blob =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(blob)
  })

/** A text as it is shown: of a very long one, the browser would lay out every line. */
const shortened = text =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}…\n(${text.length - SHOWN} more characters)` : text

function readable(text, type) {
  try {
    return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}

async function send(form) {
  const url = urlOf(form)
  const request = requestOf(form)
  const part = name => form.querySelector(`.answer ${name}`)
  const [outcome, told, image] = ['.outcome', '.told', 'img'].map(part)
  part('.curl').textContent = curlOf(url, request)
  const started = performance.now()
  const response = await fetch(url, request)
  const blob = await response.blob()
  const ms = Math.round(performance.now() - started)
  const type = response.headers.get('content-type') ?? ''
  image.hidden = !type.startsWith('image/')
  told.hidden = !image.hidden || blob.size === 0
  if (image.hidden) told.textContent = shortened(readable(await blob.text(), type))
  else image.src = await asUrl(blob)
  part('.headers').textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  outcome.textContent = `${response.status} ${response.statusText} · ${blob.size} bytes · ${ms} ms`
  outcome.classList.toggle('refused', !response.ok)
}

async function submit(form) {
  const button = form.querySelector('button')
  button.disabled = true
  const answer = form.querySelector('.answer')
  try {
    await send(form)
  } catch (error) {
    answer.querySelector('.outcome').textContent = `No answer: ${error.message}`
  } finally {
    answer.hidden = false
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

/** Opens what the address names. */
function reveal() {
  const sought = document.getElementById(location.hash.slice(1))
  if (!(sought instanceof HTMLDetailsElement)) return
  sought.open = true
  sought.scrollIntoView()
}
addEventListener('hashchange', reveal)
reveal()
