import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AdminSite } from '../helpers/adminSite.ts'
import { logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'

let site: AdminSite
beforeEach(async () => {
  site = await AdminSite.open()
})
afterEach(() => site.board.close())

const tables = () => site.board.board.store.read

describe.each(['categories', 'terms'] as const)('the page of %s', table => {
  const path = `/admin/${table}`
  const labels = () => site.board.board.store.read[table].all()
  const names = () => labels().map(({ name }) => name)

  test('adds one, and keeps what was entered if the name is taken', async () => {
    expect((await site.fill(path, { name: 'Gardening' })).location).toBe(`${path}?done=created`)
    expect(names()).toContain('Gardening')
    const again = await site.fill(path, { name: 'GARDENING' })
    expect(again.status).toBe(422)
    expect(again.values('#name')).toEqual(['GARDENING'])
    expect(again.errors).toHaveLength(1)
  })

  test('renames one', async () => {
    await site.fill(path, { name: 'Gardening' })
    const id = labels().at(-1)?.id
    expect((await site.browser.get(`${path}/${id}/edit`)).values('#name')).toEqual(['Gardening'])
    await site.browser.submit(`${path}/${id}/edit`, { name: 'Gardens' })
    expect(names()).toContain('Gardens')
  })

  test('names the jobs that are deleted with one', async () => {
    const id = table === 'categories' ? site.references.category : site.references.term
    const job = await site.post({ title: 'Porter' })
    const asked = await site.browser.get(`${path}/${id}/delete`)
    expect(asked.html).toContain('1 job will be deleted')
    expect(asked.html).toContain('Porter')
    await site.browser.submit(`${path}/${id}/delete`)
    expect(await site.job(job)).toEqual({ error: 'Job not found.' })
  })
})

describe('the pages of plans', () => {
  test('create, change, archive, activate and delete a plan', async () => {
    const fields = { name: 'Gold', price: '90', period: '60', highlight: 'true', badge: 'false', pin: 'true' }
    expect((await site.fill('/admin/plans/new', fields)).location).toBe('/admin/plans?done=created')
    const plan = () => tables().plans.findBy('name', 'Gold')
    const id = plan()?.id
    expect(plan()).toMatchObject({
      price: 90,
      period: 60,
      highlight: true,
      badge: false,
      pin: true,
      archived: false,
    })
    await site.fill(`/admin/plans/${id}/edit`, { ...fields, price: '95' })
    expect(plan()?.price).toBe(95)
    await site.browser.get('/admin/plans')
    await site.browser.submit(`/admin/plans/${id}/archive`)
    expect(plan()?.archived).toBe(true)
    await site.browser.get('/admin/plans')
    await site.browser.submit(`/admin/plans/${id}/activate`)
    expect(plan()?.archived).toBe(false)
    await site.fill(`/admin/plans/${id}/delete`)
    expect(plan()).toBeUndefined()
  })

  test('name every field that is wrong, and a plan with jobs stays', async () => {
    const wrong = await site.fill('/admin/plans/new', { name: '', price: '-1', period: 'x' })
    expect(wrong.status).toBe(422)
    expect(wrong.values('#summary a', 'href')).toEqual(['#name', '#price', '#period'])
    await site.post()
    const kept = await site.fill(`/admin/plans/${site.references.plan}/delete`)
    expect([kept.status, tables().plans.has(site.references.plan)]).toEqual([409, true])
  })
})

describe('the page of the settings', () => {
  test('changes them at once, logo included', async () => {
    const logo = logoFile(png(16, 16))
    const saved = await site.fill('/admin/settings', { name: 'Harbour Jobs', accent: '#aa0000', logo })
    expect(saved.location).toBe('/admin/settings?done=saved')
    const page = await site.browser.get(saved.location)
    expect(page.values('#name')).toEqual(['Harbour Jobs'])
    expect(page.values('header.top img', 'src')[0]).toStartWith('/logos/')
    await site.browser.submit('/admin/settings', { name: 'Harbour Jobs' })
    expect(site.board.board.config.logo).not.toBe('')
  })

  test('shows what is wrong beside the field', async () => {
    const page = await site.fill('/admin/settings', { accent: 'red' })
    expect(page.status).toBe(422)
    expect(page.values('#accent', 'aria-invalid')).toEqual(['true'])
  })

  test('shows settings that an option fixes, with its name', async () => {
    await site.board.close()
    site = await AdminSite.open('--name', 'Fixed')
    const page = await site.browser.get('/admin/settings')
    expect(page.values('#name')).toEqual([])
    expect(page.html).toContain('Name of the board: Fixed. Set by --name')
  })
})

test('the overview guides an owner with an empty board, and shows figures later', async () => {
  const empty = await site.browser.get('/admin')
  expect(empty.texts('.guide li a')).toEqual([
    'Choose a name and a colour',
    'Add categories',
    'Add employment types',
    'Create a plan',
    'Post the first job',
  ])
  await site.post()
  const page = await site.browser.get('/admin')
  expect(page.texts('.guide li')).toEqual([])
  expect(page.texts('.attention a')).toEqual(['There is no backup yet'])
  expect(page.texts('.day-chart tbody tr')).toHaveLength(60)
})
