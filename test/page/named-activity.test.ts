/** Now and History name what was changed, in the language of the page, and nothing that a link does not reach. */
import { expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const inGerman = { 'accept-language': 'de' }

async function servedReleases() {
  const serving = await servePages()
  const robot = program(serving.space, 'Researcher')
  const { items } = await robot('documents_add', { documents: [{ title: 'Plan' }] })
  const plan: string = items[0].id
  const position = { position: 'end', pageId: plan }
  const schema = { name: 'Releases', properties: [{ key: 'status', name: 'Status', type: 'text' }] }
  const { collectionBlockId: collectionId } = await robot('collections_add', { schema, position })
  const titles = ['Ship beta', 'A', 'B', 'C']
  const added = await robot('items_add', { collectionId, items: titles.map((title) => ({ title })) })
  const rows: string[] = added.items.map(({ id }: { id: string }) => id)
  const later = () => {
    serving.clock.now += 2 * 60 * 60_000
  }
  later()
  return { serving, robot, plan, collectionId, rows, later }
}

test('rows, folders and icons are named in sentences', async () => {
  const { serving, robot, plan, collectionId, rows, later } = await servedReleases()
  await robot('items_update', { collectionId, itemsToUpdate: [{ id: rows[0], properties: { status: 'done' } }] })
  later()
  await robot('items_delete', { collectionId, itemIds: rows.slice(1) })
  later()
  const { items } = await robot('folders_add', { folders: [{ name: 'Plans' }, { name: 'Work' }] })
  await robot('folders_move', { folderIds: [items[0].id], destination: { folderId: items[1].id } })
  later()
  await robot('blocks_update', { blocks: [{ id: plan, markdown: '🚀 Plan' }] })
  const visitor = await visitAsOperator(serving)
  const now = await visitor.get('/now')
  for (const sentence of [
    'Researcher changed “Ship beta” in Releases: Status',
    'Researcher deleted rows “A”, “B” and “C” in Releases',
    'Researcher moved folder “Plans”',
    'Researcher changed the icon of 🚀 Plan',
  ])
    expect(textOf(now)).toContain(sentence)
  expect(now.text).toContain(`/d/${collectionId}"><b>Releases</b></a>`)
  const german = textOf(await visitor.get('/now', inGerman))
  for (const sentence of [
    'Researcher: „Ship beta“ in Releases geändert: Status',
    'Researcher: Zeilen „A“, „B“ und „C“ in Releases gelöscht',
    'Researcher: Ordner „Plans“ verschoben',
    'Researcher: Symbol von 🚀 Plan geändert',
  ])
    expect(german).toContain(sentence)
  const history = textOf(await visitor.get(`/d/${plan}/history`))
  expect(history).toContain('Researcher changed “Ship beta” in Releases: Status')
})

test('a link to one document gets no name from elsewhere', async () => {
  const { serving, robot, plan, collectionId, rows } = await servedReleases()
  const reader = await visitByLink(serving, { kind: 'selected', documents: [plan], access: 'read' })
  const hidden = (await robot('documents_add', { documents: [{ title: 'Secret' }] })).items[0].id
  await robot('items_update', { collectionId, itemsToUpdate: [{ id: rows[0], properties: { status: 'done' } }] })
  expect(textOf(await reader.get('/now'))).toContain('Researcher changed “Ship beta” in Releases: Status')
  await robot('blocks_move', { blockIds: [collectionId], position: { position: 'end', pageId: hidden } })
  await robot('items_update', { collectionId, itemsToUpdate: [{ id: rows[0], title: 'Secret beta' }] })
  const shown = textOf(await reader.get('/now'))
  expect(shown).not.toMatch(/Secret|Ship beta|Status/)
  expect(shown).toContain('Researcher')
})
