/** Groups on the page of members: who is in them, and forms for the person who runs the program. */
import { beforeEach, expect, test } from 'vitest'
import { addGroupLink } from '../../src/auth/access-links/group-links.ts'
import { listGroups } from '../../src/space/members/groups.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { Serving } from '../http/serving.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  await serving.link({ name: 'Robot', handle: 'robot' })
  await serving.link({ name: 'Anna' })
})

const groups = async () =>
  (await serving.space.read(OPERATOR_LINK, listGroups)).map(({ name, handle, members }) => [
    name,
    handle,
    members.map((one) => one.name),
  ])
const idIn = (page: Visited, name: string): string =>
  new RegExp(`name="member" value="(\\d+)"[^>]*><span>${name}<`).exec(page.text)?.[1] ?? ''
const pathOf = (page: Visited, name: string): string =>
  new RegExp(`href="[^"]*(/groups/\\d+)[^"]*"[^>]*aria-label="Edit ${name}"`).exec(page.text)?.[1] ?? ''
const make = async (name: string, fields: Record<string, string> = {}) =>
  visitor.press(await visitor.get('/groups/new'), 'Make the group', { name, ...fields })

test('a group is made, changed and removed', async () => {
  const form = await visitor.get('/groups/new')
  const made = await visitor.press(form, 'Make the group', {
    ...{ name: 'Crew', handle: '@Crew', picture: '⚓', member: idIn(form, 'Robot') },
  })
  expect(textOf(made)).toContain('Saved.')
  expect(textOf(made)).toMatch(/⚓ Crew @crew Group · Robot Edit…/)
  expect(await groups()).toEqual([['Crew', 'crew', ['Robot']]])

  const edit = await visitor.get(pathOf(made, 'Crew'))
  expect(edit.text).toMatch(/checked><span>Robot</)
  const changed = await visitor.press(edit, 'Save', { name: 'Port crew', handle: '', member: idIn(edit, 'Anna') })
  expect(textOf(changed)).toMatch(/⚓ Port crew Group · Anna Edit…/)

  const removed = await visitor.press(await visitor.get(pathOf(changed, 'Port crew')), 'Remove Port crew')
  expect(textOf(removed)).toContain('The group was removed.')
  expect(await groups()).toEqual([])
})

test('what the form does not change, others may change meanwhile', async () => {
  const edit = await visitor.get(pathOf(await make('Crew', { handle: 'crew' }), 'Crew'))
  const other = await visitor.get(pathOf(await visitor.get('/members'), 'Crew'))
  await visitor.press(other, 'Save', { name: 'Port crew', member: idIn(other, 'Anna') })
  await visitor.press(edit, 'Save', { picture: '⚓', name: 'Crew' })
  expect(await groups()).toEqual([['Crew', 'crew', ['Anna']]])
})

test('a wrong handle and a name that is taken are refused, and what was chosen stays', async () => {
  await make('Crew')
  const form = await visitor.get('/groups/new')
  const fields = { name: 'Others', handle: 'two words', member: idIn(form, 'Anna') }
  const refused = await visitor.press(form, 'Make the group', fields)
  expect(refused.status).toBe(400)
  expect(textOf(refused)).toContain('Expected a handle of 1 to 30 letters')
  expect(refused.text).toMatch(/checked><span>Anna</)
  const taken = await visitor.press(refused, 'Make the group', { name: 'Crew', handle: '' })
  expect(taken.status).toBe(400)
  expect(await groups()).toEqual([['Crew', undefined, []]])
})

test('who joins a group that has links gets an address, which is shown once', async () => {
  const made = await make('Crew')
  await serving.space.write(OPERATOR_LINK, (view) =>
    addGroupLink(view, { group: 'Crew', kind: 'full', access: 'read', documents: [], isBearer: false }),
  )
  const edit = await visitor.get(pathOf(made, 'Crew'))
  const given = await visitor.press(edit, 'Save', { member: idIn(edit, 'Owner') })
  expect(textOf(given)).toMatch(/New addresses .* Owner For agents \(MCP\)/)
  const [, view = ''] = /value="([^"]*\/links\/[\w-]+\/view)"/.exec(given.text) ?? []
  expect((await fetch(view, { redirect: 'manual' })).status).toBe(303)
})

test('somebody beyond the first hundred is found, and those who were chosen stay', async () => {
  for (let n = 0; n < 105; n++) await serving.link({ name: `helper ${n}` })
  await serving.link({ name: 'Zora' })
  const form = await visitor.get('/groups/new')
  expect(idIn(form, 'Zora')).toBe('')
  const found = await visitor.press(form, 'Find', { q: 'zo', name: 'Crew', member: idIn(form, 'Anna') })
  expect(found.text).toMatch(/checked><span>Anna</)
  const made = await visitor.press(found, 'Make the group', { member: idIn(found, 'Zora') })
  expect(textOf(made)).toContain('Saved.')
  expect(await groups()).toEqual([['Crew', undefined, ['Zora']]])
})

test('a link sees groups, but neither who is in them nor a form', async () => {
  const path = pathOf(await make('Crew'), 'Crew')
  const other = await visitByLink(serving)
  const list = await other.get('/members')
  expect(textOf(list)).toContain('Crew Group')
  expect(textOf(list)).not.toContain('no one is in it')
  expect(offers(list, 'New group…')).toBe(false)
  for (const one of ['/groups/new', path]) expect((await other.get(one)).status).toBe(404)
  expect((await other.post(path, { name: 'Mine' })).status).toBe(404)
  expect((await other.post(`${path}/remove`)).status).toBe(404)
  expect(await groups()).toHaveLength(1)
})
