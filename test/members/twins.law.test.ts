/**
 * Two spaces that differ only in members and groups out of reach answer alike for a narrow link. `npm run prove -- reach`
 * tries more of them, with other hidden things and over every way of connecting.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { addGroup, updateGroup } from '../../src/space/members/groups.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { collectionOf } from '../collection.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { subscribe } from '../events/wire.ts'
import { runs, timeOfRuns } from '../support/runs.ts'

interface Hidden {
  kind: 'agent' | 'person' | 'group'
  name: string
  handle: boolean
  /** True if the visible group has it as a member, and for a group, if the visible agent is in it. */
  isTied: boolean
  /** What names it out of reach. */
  isNamed: boolean
}

const hidden: fc.Arbitrary<Hidden[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('agent', 'person', 'group'),
    name: fc.constantFrom('Xenia', 'Zeno', 'Anna', 'Crew'),
    handle: fc.boolean(),
    isTied: fc.boolean(),
    isNamed: fc.boolean(),
  }),
  { maxLength: 5 },
)

const AGENT = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Owner' } as const

/** The same visible part, and then these hidden members. @returns what the narrow link finds by all calls */
async function answersWith(plan: readonly Hidden[]): Promise<string[]> {
  const full = await connect()
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  await write(async (view) => {
    for (const name of ['Anna', 'Bob']) await addParticipant(view, name, { handle: name })
    await addAccessLink(view, { ...AGENT, name: 'Robo' })
    await addGroup(view, 'Crew', { handle: 'crew', add: ['Robo'] })
  })
  const { members } = await full.call('connection_get')
  const idOf = (name: string): string => members.find((one: Answer) => one.name === name).id
  const document = await documentOf(full, `Ask [@Crew](person://${idOf('Crew')}) and [@Bob](person://${idOf('Bob')})`)
  const [block = ''] = Object.values(await idsOf(full, document))
  const { items } = await full.call('blocks_add', {
    blocks: [{ type: 'text', markdown: 'Dig', listStyle: 'task', taskInfo: { assignee: 'Crew' } }],
    position: { position: 'end', pageId: document },
  })
  const { collectionBlockId: collection } = await full.call('collections_add', {
    schema: { name: 'Work', properties: [{ name: 'Who', type: 'person' }], contentPropDetails: { name: 'Name' } },
    position: { position: 'end', pageId: document },
  })
  await full.call('items_add', {
    collectionId: collection,
    items: [{ title: 'a', properties: { who: ['Crew', 'Bob'] } }],
  })
  const link = await write(async (view) => {
    const { info } = await addAccessLink(view, { ...AGENT, kind: 'selected', documents: [document], name: 'guest' })
    return (await getActiveLink(view, info.id)) as AccessLink
  })
  const narrow = await connect('selected', { to: full, documents: [document], caller: { link } })
  const listen = await subscribe(narrow, { name: 'mention' })
  const away = await documentOf(full, 'away')
  const collectionId = await collectionOf(full, [{ name: 'Who', type: 'person' }])
  for (const [index, one] of plan.entries()) {
    await write((view) => hide(view, one, index))
  }
  const known = (await full.call('connection_get')).members
  const before = new Set(members.map(({ id }: Answer) => id))
  const added = known.filter(({ id, name }: Answer) => !before.has(id) && name !== 'guest')
  const ids: string[] = added.map(({ id }: Answer) => id)
  for (const [index, { isNamed }] of plan.entries()) {
    const id = ids[index % Math.max(ids.length, 1)]
    if (!isNamed || id === undefined) continue
    await full.call('blocks_add', {
      blocks: [{ type: 'text', markdown: `[@x](person://${id})`, listStyle: 'task', taskInfo: { assignee: id } }],
      position: { position: 'end', pageId: away },
    })
    await full.call('items_add', { collectionId, items: [{ title: 'x', properties: { who: [id] } }] })
  }
  // A comment makes no one known.
  const [other = '199999999999'] = ids
  await full.call('comments_add', { comments: [{ blockId: block, content: `[@x](person://${other})` }] })
  return ask(narrow, listen, { document, block, task: items[0].id, names: [other, idOf('Anna')], collection, link })
}

async function hide(view: Space, { kind, name, handle, isTied }: Hidden, index: number): Promise<void> {
  const own = `${name} ${index}`
  const fields = handle ? { handle: `h${index}` } : {}
  if (kind === 'person') await addParticipant(view, own, fields)
  else if (kind === 'agent') await addAccessLink(view, { ...AGENT, name: own, ...fields })
  else await addGroup(view, own, { ...fields, add: isTied ? ['Robo'] : [] })
  if (isTied && kind !== 'group') await updateGroup(view, '@crew', { add: [own] })
}

interface Asked {
  document: string
  block: string
  task: string
  /** IDs of members out of reach. */
  names: readonly string[]
  collection: string
  link: AccessLink
}

async function ask(
  narrow: Awaited<ReturnType<typeof connect>>,
  listen: () => Promise<unknown[]>,
  { document, block, task, collection, names, link }: Asked,
): Promise<string[]> {
  const references = ['me', '@crew', 'Anna', 'Xenia 0', '@h0', ...names]
  const calls: [string, object][] = [
    ['connection_get', {}],
    ['blocks_get', { id: document, fetchMetadata: true }],
    ['blocks_get', { id: document, format: 'markdown', fetchMetadata: true }],
    ...references.flatMap((one): [string, object][] => [
      [
        'items_list',
        { collectionId: collection, filters: [{ property: 'who', filterType: 'select_isAnyOf', filterValue: [one] }] },
      ],
      ['items_add', { collectionId: collection, items: [{ title: one, properties: { who: one } }] }],
      ['blocks_update', { blocks: [{ id: task, taskInfo: { assignee: one } }] }],
      ['blocks_update', { blocks: [{ id: block, markdown: `By [@x](person://${one})` }] }],
      ['comments_add', { comments: [{ blockId: block, content: `To [@x](person://${one})` }] }],
    ]),
    ['blocks_search', { documentId: document, pattern: 'x' }],
    ['history_list', { limit: 50 }],
    ['blocks_get', { id: document, fetchMetadata: true }],
    ['connection_get', {}],
  ]
  const answers: string[] = []
  for (const [name, args] of calls) {
    const { content } = await narrow.client.callTool({ name, arguments: { ...args } })
    answers.push(`${name} ${JSON.stringify(args)}: ${JSON.stringify(content)}`)
  }
  answers.push(JSON.stringify(await listen()))
  return answers.map((text) => normalized(text, names, link))
}

/** Without what differs by chance: IDs that were drawn after the hidden part, and those that the caller sent. */
function normalized(text: string, [other = '', ...more]: readonly string[], { id = '' }: AccessLink): string {
  const fresh = new Map<string, string>()
  return [other, ...more]
    .reduce((shown, one) => shown.replaceAll(one, '(sent)'), text)
    .replaceAll(id, '(link)')
    .replace(/evt_[\w-]+|\b[19]\d{11}\b/g, (one) => {
      const known = fresh.get(one) ?? `(new ${fresh.size})`
      if (!fresh.has(one)) fresh.set(one, known)
      return known
    })
}

const RUNS = runs(1, 60)

test(
  'two spaces that differ in members out of reach answer alike',
  () =>
    fc.assert(
      fc.asyncProperty(hidden, hidden, async (one, other) => {
        expect(await answersWith(one)).toEqual(await answersWith(other))
      }),
      { numRuns: RUNS },
    ),
  timeOfRuns(RUNS),
)
