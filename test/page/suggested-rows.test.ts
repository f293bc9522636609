/** Suggestions for the rows of a collection, drawn in its table. */
import { beforeEach, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let anna: Program
let robot: Program
let operator: Visitor
let plan: string
let tasks: string
let rows: string[]

beforeEach(async () => {
  serving = await servePages()
  anna = program(serving.space, 'editor')
  robot = program(serving.space, 'Robot', { access: 'propose' })
  operator = await visitAsOperator(serving)
  plan = (await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'Words.' }] })).items[0].id
  const schema = {
    name: 'Tasks',
    contentPropDetails: { name: 'Task' },
    properties: [
      { name: 'State', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Done' }] },
      { name: 'Hours', type: 'number' },
    ],
  }
  const added = await anna('collections_add', { schema, position: { position: 'end', pageId: plan } })
  tasks = added.collectionBlockId ?? added.id
  const { items } = await anna('items_add', {
    collectionId: tasks,
    items: [
      { title: 'Paint', properties: { State: 'Open', Hours: 3 } },
      { title: 'Clean', properties: { State: 'Open' } },
    ],
  })
  rows = items.map(({ id }: { id: string }) => id)
})

const rowIn = (text: string, title: string): string =>
  text.match(/<tr[\s\S]*?<\/tr>/g)?.find((row) => row.includes(`>${title}</a>`)) ?? ''
const belowIn = (text: string, id = ''): string =>
  new RegExp(`<tr class="suggested-row" data-suggested="${id}">[\\s\\S]*?</tr>`).exec(text)?.[0] ?? ''

test('a value shows the one that would take its place, and is decided on below its row', async () => {
  await robot('items_update', {
    collectionId: tasks,
    itemsToUpdate: [{ id: rows[0], properties: { State: 'Done', Hours: 4 } }],
  })
  for (const path of [`/d/${plan}`, `/collections/${tasks}`]) {
    const { text } = await operator.get(path)
    expect(rowIn(text, 'Paint')).toMatch(
      /<del class="old by-\d">[\s\S]*Open[\s\S]*<\/del> <ins class="new by-\d">Done<\/ins>/,
    )
    expect(rowIn(text, 'Paint')).toMatch(/<del class="old by-\d">3<\/del> <ins class="new by-\d">4<\/ins>/)
    expect(rowIn(text, 'Clean')).not.toContain('<ins')
    expect(belowIn(text, rows[0]).match(/>Accept</g)).toHaveLength(2)
    expect(text).not.toContain('Suggested elsewhere')
  }
  const { text } = await operator.get(`/d/${plan}`)
  const [, part = ''] = /name="part" value="([^"]+ \d+\/state)"/i.exec(belowIn(text, rows[0])) ?? []
  await operator.send('/suggestions/accept', { part, back: `/d/${plan}` })
  const { items } = await anna('items_list', { collectionId: tasks })
  expect(items[0].properties).toEqual({ state: 'Done', hours: 3 })
  expect(rowIn((await operator.get(`/d/${plan}`)).text, 'Paint').match(/<ins/g)).toHaveLength(1)
})

test('a row is struck if it would go, and a new one stands below the last one', async () => {
  await robot('items_delete', { collectionId: tasks, idsToDelete: [rows[0]] })
  await robot('items_add', { collectionId: tasks, items: [{ title: 'Sweep', properties: { State: 'Done' } }] })
  const { text } = await operator.get(`/d/${plan}`)
  expect(rowIn(text, 'Paint')).toMatch(/<tr[^>]* class="suggested by-\d is-removed"/)
  expect(belowIn(text, rows[0])).toContain('removes this')
  expect(addedIn(text)).toMatch(
    /<th scope="row"><ins class="new">Sweep<\/ins><\/th><td><ins class="new"><span class="tag[^>]*>Done<\/span><\/ins><\/td><td class="num"><\/td>/,
  )
  expect(belowIn(text, rows[1])).toContain('adds this row')
  expect(text).not.toContain('&lt;collectionItem')
})

/** The rows that would be new. */
const addedIn = (text: string): string => text.match(/<tr class="suggested is-added[\s\S]*?<\/tr>/g)?.join('\n') ?? ''

test('a new row has its values as cells, and what no cell shows below them', async () => {
  const view = { name: 'Table', type: 'table', hiddenProperties: ['Hours'] }
  await anna('views_add', { collectionId: tasks, view })
  const items = [
    { title: 'Sweep', markdown: 'With a *broom*.', properties: { State: 'Open', Hours: 1234.5 } },
    { title: 'Mop', properties: { Hours: 0.12345 } },
  ]
  await robot('items_add', { collectionId: tasks, items })
  const { text } = await operator.get(`/d/${plan}`)
  expect(addedIn(text).match(/<tr /g)).toHaveLength(2)
  expect(addedIn(text)).not.toContain('1,234.5')
  const below = text.match(/<tr class="suggested-row"[\s\S]*?<\/tr>/g) ?? []
  expect(below[0]).toMatch(/<p class="about">Hours: 1,234.5<\/p>[\s\S]*With a <em>broom<\/em>\./)
  // A rounded number would not be what is accepted.
  expect(below[1]).toContain('<p class="about">Hours: 0.12345</p>')
  expect(text.match(/aria-label="Accept the suggestion by Robot: add row “(?:Sweep|Mop)”"/g)).toHaveLength(2)
})

test('the page of a proposal has its rows as tables', async () => {
  const one = { title: 'Sweep', properties: { State: 'Open', Hours: 1234.5 } }
  await robot('items_add', { collectionId: tasks, items: [one] })
  await robot('items_add', { collectionId: tasks, items: [one, { title: 'Mop' }] })
  const [two, single] = (await anna('proposals_list', { state: 'waiting' })).items
  const table =
    /<th scope="col">Task<\/th><th scope="col">State<\/th><th scope="col" class="num">Hours<\/th>[\s\S]*?<td class="num">1,234\.5<\/td>/
  expect((await operator.get(`/waiting/${single.proposalId}`)).text).toMatch(table)
  const { text } = await operator.get(`/waiting/${two.proposalId}`)
  expect(text.slice(text.indexOf('id="parts"'))).toMatch(table)
  expect(text.slice(text.indexOf('id="parts"'))).not.toContain('State: Open')
})

test('a row of an empty collection, and one that a board shows, are tables of their own', async () => {
  await anna('items_delete', { collectionId: tasks, idsToDelete: rows })
  await robot('items_add', { collectionId: tasks, items: [{ title: 'Sweep', properties: { State: 'Open' } }] })
  const { text } = await operator.get(`/d/${plan}`)
  expect(text).toMatch(/<th scope="col">Task<\/th><th scope="col">State<\/th>[\s\S]*?<th scope="row">Sweep<\/th>/)
  expect(text).not.toContain('&lt;collectionItem')
})

test('a value that the view hides is told with its row', async () => {
  const view = { name: 'Table', type: 'table', hiddenProperties: ['Hours'] }
  await anna('views_add', { collectionId: tasks, view })
  await robot('items_update', { collectionId: tasks, itemsToUpdate: [{ id: rows[1], properties: { Hours: 8 } }] })
  const { text } = await operator.get(`/d/${plan}`)
  expect(rowIn(text, 'Clean')).not.toContain('<ins')
  expect(belowIn(text, rows[1])).toContain('changes hours')
  expect(belowIn(text, rows[1])).toContain('8')
})

test('those who only read see the table as it is', async () => {
  const before = (await (await visitByLink(serving, { access: 'read' })).get(`/collections/${tasks}`)).text
  await robot('items_update', { collectionId: tasks, itemsToUpdate: [{ id: rows[0], properties: { State: 'Done' } }] })
  const rita = await visitByLink(serving, { access: 'read' })
  const { text } = await rita.get(`/d/${plan}`)
  expect(text).not.toContain('<ins')
  expect((await rita.get(`/collections/${tasks}`)).text).not.toContain('suggest')
  expect(before).not.toContain('suggest')
})
