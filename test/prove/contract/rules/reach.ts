/** Rules about the service as a whole: what each kind of connection reaches, and how things are addressed. */

import { DAILY, FULL, FULL_AND_DAILY, FULL_AND_SELECTED, REST, type RuleGroup, SELECTED } from '../rule.ts'
import { has, holds, idsOf, inPage, one, reads, same, withId } from '../rule-context.ts'
import { ROOT_DAY } from '../world.ts'

export const reach: RuleGroup = {
  title: 'reach',
  rules: [
    {
      statement: 'All addresses are relative to the base URL of the connection.',
      over: REST,
      async check(at) {
        same((await at.rest('GET', '/connection')).status, 200)
        same((await at.rest('GET', '/api/v1/connection')).status, 404)
      },
    },
    {
      statement: 'Bodies of requests and responses are JSON unless the endpoint says otherwise.',
      over: REST,
      async check(at) {
        const { headers, status } = await at.rest('GET', '/connection')
        same(status, 200)
        reads(headers['content-type'], /^application\/json/)
        const refused = await at.rest('POST', '/comments', { 'content-type': 'application/json' }, '{ no JSON')
        same([refused.status, refused.code], [400, 'VALIDATION_ERROR'])
      },
    },
    {
      statement: 'A full connection reaches the documents of all locations.',
      kinds: FULL,
      async check(at) {
        const [plain, template, deleted] = [await at.document('plain'), await at.document('b'), await at.document('c')]
        const destination = { destination: 'templates' }
        await at.setup('documents_move', { documentIds: [template], destination })
        await at.setup('documents_delete', { documentIds: [deleted] })
        const note = (await at.setup('blocks_get', { date: ROOT_DAY })).id
        for (const id of [plain, template, deleted, note]) same((await at.read(id)).id, id)
      },
    },
    {
      statement: 'A selected connection reaches only the documents that are exposed to it.',
      kinds: SELECTED,
      async check(at) {
        const { exposed, secondExposed, hidden } = at.world
        same(idsOf((await at.done('documents_list', { limit: 20_000 })).items).toSorted(), exposed.toSorted())
        await at.refused('blocks_get', { id: hidden }, 'NOT_FOUND_ERROR')
        await at.refused('blocks_add', { markdown: 'a', position: inPage(hidden) }, 'NOT_FOUND_ERROR')
        same((await at.read(secondExposed)).id, secondExposed)
      },
    },
    {
      statement: 'A daily connection reaches the daily notes, the task inbox and the logbook, and no other document.',
      kinds: DAILY,
      async check(at) {
        same((await at.done('blocks_get', { date: ROOT_DAY })).id, at.root)
        const task = one((await at.done('tasks_add', { tasks: [{ markdown: 'in the inbox' }] })).items)
        withId((await at.done('tasks_list', { scope: 'inbox' })).items, task.id)
        await at.done('tasks_update', { tasksToUpdate: [{ id: task.id, taskInfo: { state: 'done' } }] })
        withId((await at.done('tasks_list', { scope: 'logbook' })).items, task.id)
        await at.refused('blocks_get', { id: at.world.hidden }, 'NOT_FOUND_ERROR')
        await at.refused('blocks_delete', { blockIds: [at.world.hidden] }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'The service finds the document of a block itself, so that a block is named by its ID alone.',
      async check(at) {
        const { id } = await at.madeBlock('alone')
        const changed = one((await at.done('blocks_update', { blocks: [{ id, markdown: 'renamed' }] })).items)
        has(changed, { id, markdown: 'renamed' })
        if (at.kind === 'full') return
        const position = inPage(at.world.hidden)
        const outside = one((await at.setup('blocks_add', { markdown: 'outside', position })).items).id
        await at.refused('blocks_update', { blocks: [{ id: outside, markdown: 'x' }] }, 'NOT_FOUND_ERROR')
      },
    },
    {
      statement: 'Links to blocks outside the reach of the connection are filtered.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const { page } = await at.made(`see [there](block://${at.world.hidden})`)
        const { content } = await at.read(page)
        same(one(content).markdown, 'see [there](invalid:out_of_scope)')
        holds(!(await at.markdown(page)).includes(at.world.hidden), 'Expected no ID from outside in the Markdown')
      },
    },
    {
      statement: 'Relations to items outside the reach of the connection are filtered.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const position = inPage(at.world.hidden)
        const far = (await at.setup('collections_add', { schema: { name: 'Far', properties: [] }, position }))
          .collectionBlockId
        const farItem = one((await at.setup('items_add', { collectionId: far, items: [{ title: 'secret' }] })).items).id
        const near = await at.collection([{ name: 'Tie', type: 'relation', targetCollectionId: far }])
        const properties = { tie: { relations: [{ blockId: farItem }] } }
        const { id } = one(
          (await at.setup('items_add', { collectionId: near, items: [{ title: 'open', properties }] })).items,
        )
        const answer = await at.call('items_list', { collectionId: near })
        same(withId(answer.body.items, id).title, 'open')
        holds(!answer.text.includes(farItem), `Expected no relation to ${farItem}, found ${answer.text}`)
      },
    },
    {
      statement: 'A new document goes to Unsorted.',
      kinds: FULL,
      async check(at) {
        const { id } = one((await at.done('documents_add', { documents: [{ title: 'new' }] })).items)
        has(one((await at.done('documents_list', { documentIds: [id] })).items), {
          location: 'unsorted',
          isDeleted: false,
        })
      },
    },
    {
      statement: 'Documents among the templates serve to create documents.',
      kinds: FULL,
      async check(at) {
        const documents = [{ title: 'pattern', markdown: 'from the pattern' }]
        const template = one(
          (await at.done('documents_add', { documents, destination: { destination: 'templates' } })).items,
        )
        withId((await at.done('documents_list', { location: 'templates', limit: 20_000 })).items, template.id)
        const { id } = one(
          (await at.done('documents_add', { documents: [{ title: 'copy', templateId: template.id }] })).items,
        )
        same(one((await at.read(id)).content).markdown, 'from the pattern')
      },
    },
    {
      statement: 'What was deleted last is in the trash.',
      kinds: FULL,
      async check(at) {
        const id = await at.document('to delete')
        await at.done('documents_delete', { documentIds: [id] })
        has(withId((await at.done('documents_list', { location: 'trash', limit: 20_000 })).items, id), {
          isDeleted: true,
          location: 'trash',
        })
      },
    },
    {
      statement: 'daily_notes is a location for lists and searches.',
      kinds: FULL,
      async check(at) {
        const { items } = await at.done('documents_list', { location: 'daily_notes', limit: 20_000 })
        has(withId(items, at.world.roots.daily), { location: 'daily_notes', dailyNoteDate: ROOT_DAY })
        holds(
          items.every(({ location }) => (location as unknown) === 'daily_notes'),
          'Expected daily notes alone',
        )
        const found = (await at.done('documents_search', { include: 'note', location: 'daily_notes' })).items
        holds(
          found.some(({ documentId }) => documentId === at.world.roots.daily),
          'Expected the daily note',
        )
      },
    },
    {
      statement: 'The ID of a document is the ID of its root block, by which GET /blocks reads it.',
      kinds: FULL_AND_SELECTED,
      async check(at) {
        const id = at.world.secondExposed
        const listed = withId((await at.done('documents_list', { limit: 20_000 })).items, id)
        same(listed.rootBlockId, id)
        has(await at.read(id), { id, type: 'page', markdown: 'Second exposed' })
      },
    },
    {
      statement: 'Folders stand in folders.',
      kinds: FULL,
      async check(at) {
        const outer = one((await at.done('folders_add', { folders: [{ name: 'outer' }] })).items).id
        const folders = [{ name: 'inner', parentFolderId: outer }]
        const inner = one((await at.done('folders_add', { folders })).items).id
        same(one(withId((await at.done('folders_list')).items, outer).folders).id, inner)
      },
    },
    {
      statement: 'No folder is created in a built-in location.',
      kinds: FULL,
      async check(at) {
        for (const parentFolderId of ['unsorted', 'templates', 'trash']) {
          await at.refused('folders_add', { folders: [{ name: 'no', parentFolderId }] })
        }
      },
    },
    {
      statement: 'Built-in locations are not deleted.',
      kinds: FULL,
      async check(at) {
        for (const id of ['unsorted', 'templates', 'trash']) await at.refused('folders_delete', { folderIds: [id] })
      },
    },
    {
      statement: 'Built-in locations are not moved.',
      kinds: FULL,
      async check(at) {
        for (const id of ['unsorted', 'templates', 'trash']) {
          await at.refused('folders_move', { folderIds: [id], destination: { destination: 'root' } })
        }
      },
    },
    {
      statement: 'A daily note is named by its date as YYYY-MM-DD.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        same((await at.done('blocks_get', { date: ROOT_DAY })).id, at.world.roots.daily)
        await at.refused('blocks_get', { date: '10.11.2026.' })
      },
    },
    {
      statement: 'A daily note is named by today, tomorrow or yesterday.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        const days = { yesterday: '2026-11-19', today: '2026-11-20', tomorrow: '2026-11-21' }
        for (const [word, date] of Object.entries(days)) {
          const position = { position: 'end', date: word }
          has(one((await at.done('blocks_add', { markdown: `of ${word}`, position })).items), { dailyNoteDate: date })
          same((await at.done('blocks_get', { date: word })).id, (await at.done('blocks_get', { date })).id)
        }
      },
    },
    {
      statement: 'GET /blocks answers with structured data where JSON is accepted.',
      over: REST,
      async check(at) {
        const { page } = await at.made('words')
        const { headers, body } = await at.rest('GET', `/blocks?id=${page}`, { accept: 'application/json' })
        reads(headers['content-type'], /^application\/json/)
        has(body, { id: page, content: [{ type: 'text', markdown: 'words' }] })
      },
    },
    {
      statement: 'GET /blocks answers with rendered Markdown where text/markdown is accepted.',
      over: REST,
      async check(at) {
        const { page } = await at.made('# Head\n\nwords')
        const { headers, text } = await at.rest('GET', `/blocks?id=${page}`, { accept: 'text/markdown' })
        reads(headers['content-type'], /^text\/markdown/)
        reads(text, /# Head\n\nwords/)
      },
    },
    {
      statement: 'With fetchMetadata, a document has a clickableLink: scheme, open, spaceId and documentId.',
      kinds: FULL_AND_SELECTED,
      async check(at) {
        const id = at.world.secondExposed
        const listed = withId((await at.done('documents_list', { fetchMetadata: true, limit: 20_000 })).items, id)
        reads(listed.clickableLink, new RegExp(`^[a-z][a-z0-9+.-]*://open\\?spaceId=[^&]+&documentId=${id}$`))
      },
    },
    {
      statement:
        'The address of a document for the browser ends in /d/, the space and the document of its clickableLink.',
      kinds: FULL_AND_SELECTED,
      async check(at) {
        const id = at.world.secondExposed
        const listed = withId((await at.done('documents_list', { fetchMetadata: true, limit: 20_000 })).items, id)
        const [, space] = /spaceId=([^&]+)/.exec(listed.clickableLink) ?? []
        reads(listed.webLink, new RegExp(`^https?://[^/]+/.*d/${space}/${id}$|^https?://[^/]+/d/${space}/${id}$`))
      },
    },
    {
      statement:
        'The server renders links in whatever scheme and editor the host has: {app_scheme} and {editor_url} are parameters.',
      cannot: 'They are placeholders of the contract: any value is right.',
    },
  ],
}
