/** What happens between a call over a narrow connection and its undo: each scenario returns the calls to undo. */
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { connect } from '../connect.ts'
import { lastCall, type Scenario, type Twin } from './undo-twins.ts'

const endOf = (pageId: string) => ({ position: 'end', pageId })
export const to = (...ids: string[]) => ({ relations: ids.map((blockId) => ({ blockId })) })

async function changeText({ link, ids }: Twin, text = 'one', markdown = 'changed'): Promise<string> {
  await link.call('blocks_update', { blocks: [{ id: ids[text], markdown }] })
  return lastCall(link)
}

const moveAway = ({ full, ids, hidden }: Twin, text = 'one') =>
  full.call('blocks_move', { blockIds: [ids[text]], position: endOf(hidden) })

const moveBack = ({ full, ids, visible }: Twin, text = 'one') =>
  full.call('blocks_move', { blockIds: [ids[text]], position: endOf(visible) })

const remove = ({ full, ids }: Twin, text = 'one') => full.call('blocks_delete', { blockIds: [ids[text]] })

/** Makes a call that is undone without what conflicts, so that it can be undone again. */
async function undoneInPart({ full, link, ids }: Twin, step: object): Promise<string> {
  const change = { tool: 'blocks_update', arguments: { blocks: [{ id: ids.two, markdown: 'changed' }] } }
  await link.call('batch', { steps: [step, change] })
  const call = await lastCall(link)
  await full.call('blocks_update', { blocks: [{ id: ids.two, markdown: 'changed again' }] })
  await full.call('history_undo', { calls: [call], skipConflicts: true })
  return call
}

/** Adds a collection to a document and returns its ID. */
async function collectionIn({ full }: Twin, pageId: string, name: string, properties: object[]): Promise<string> {
  const schema = { name, properties }
  return (await full.call('collections_add', { schema, position: endOf(pageId) })).collectionBlockId
}

export async function itemIn({ full }: Twin, collectionId: string, item: object): Promise<string> {
  return (await full.call('items_add', { collectionId, items: [item] })).items[0].id
}

/** Adds a collection within reach with an item, and one out of reach that it is related to, with two items. */
export async function related(twin: Twin) {
  const people = await twin.hide(() => collectionIn(twin, twin.hidden, 'People', []))
  const who = { type: 'relation', name: 'Who', targetCollectionId: people }
  const tasks = await collectionIn(twin, twin.visible, 'Tasks', [{ type: 'text', name: 'Note' }, who])
  const item = await itemIn(twin, tasks, { title: 'Task', properties: { note: 'x' } })
  const [ada, bob] = await twin.hide(async () => [
    await itemIn(twin, people, { title: 'Ada' }),
    await itemIn(twin, people, { title: 'Bob' }),
  ])
  return { people, tasks, item, ada, bob }
}

/** Adds an item with a link to a block, and returns a function that changes the link and the title. */
async function linking(twin: Twin, block: string | null | undefined) {
  const links = await collectionIn(twin, twin.visible, 'Links', [{ type: 'blockLink', name: 'See' }])
  const see = (blockId: string | null | undefined) => ({ see: blockId ? { blockId } : null })
  const id = await itemIn(twin, links, { title: 'a', properties: see(block) })
  return (by: Twin['full'], blockId: string | undefined, title?: string) => {
    const update = { id, properties: see(blockId), ...(title !== undefined && { title }) }
    return by.call('items_update', { collectionId: links, itemsToUpdate: [update] })
  }
}

export const SCENARIOS: Record<string, Scenario> = {
  async 'a block was changed, moved out of reach, and deleted there'(twin) {
    const call = await changeText(twin)
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'a block was moved, moved out of reach, and deleted there'(twin) {
    await twin.link.call('blocks_move', { blockIds: [twin.ids.one], position: endOf(twin.ids.page ?? '') })
    const call = await lastCall(twin.link)
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'a block was moved out of reach by the call itself, and deleted there'(twin) {
    await moveAway(twin)
    const call = await lastCall(twin.full)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'a block came from out of reach with the call, after it was changed there'(twin) {
    await moveAway(twin)
    await twin.hideMore(() => twin.full.call('comments_add', { comments: [{ blockId: twin.ids.far, content: 'x' }] }))
    await moveBack(twin)
    return [await lastCall(twin.full)]
  },
  async 'a block was changed, and moved elsewhere out of reach before it came back'(twin) {
    const call = await changeText(twin)
    await moveAway(twin)
    await twin.hideMore(async () => {
      await twin.full.call('blocks_move', {
        blockIds: [twin.ids.one],
        position: { position: 'start', pageId: twin.hidden },
      })
      await twin.full.call('blocks_update', { blocks: [{ id: twin.ids.one, markdown: 'elsewhere' }] })
      await twin.full.call('blocks_update', { blocks: [{ id: twin.ids.one, markdown: 'changed' }] })
    })
    await moveBack(twin)
    return [call]
  },
  async 'a deleted block was restored, moved out of reach, and deleted there'(twin) {
    await twin.link.call('blocks_delete', { blockIds: [twin.ids.one] })
    const call = await lastCall(twin.link)
    await twin.full.call('history_undo', { calls: [call] })
    await twin.full.call('history_undo', { calls: [await lastCall(twin.full)] })
    await twin.full.call('history_undo', { calls: [await lastCall(twin.full)] })
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'a deleted block was restored while the call stood, moved out of reach, and deleted there'(twin) {
    const call = await undoneInPart(twin, { tool: 'blocks_delete', arguments: { blockIds: [twin.ids.one] } })
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'a deleted comment was restored while the call stood, and moved out of reach with its block'(twin) {
    const { items } = await twin.link.call('comments_add', { comments: [{ blockId: twin.ids.one, content: 'first' }] })
    const comments = [{ commentId: items[0].commentId, delete: true }]
    const call = await undoneInPart(twin, { tool: 'comments_update', arguments: { comments } })
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'the parent of a deleted block was moved out of reach, and deleted there'(twin) {
    await twin.link.call('blocks_delete', { blockIds: [twin.ids.inner] })
    const call = await lastCall(twin.link)
    await moveAway(twin, 'page')
    await twin.hideMore(() => remove(twin, 'page'))
    return [call]
  },
  async 'a comment was changed, and deleted with its block out of reach'(twin) {
    await twin.link.call('comments_add', { comments: [{ blockId: twin.ids.one, content: 'first' }] })
    const { items } = await twin.link.call('blocks_get', { id: twin.ids.one, fetchMetadata: true }).then((block) => ({
      items: block.metadata.comments,
    }))
    await twin.link.call('comments_update', { comments: [{ commentId: items[0].id, content: 'second' }] })
    const call = await lastCall(twin.link)
    await moveAway(twin)
    await twin.hideMore(() => remove(twin))
    return [call]
  },
  async 'an added block is linked to by an item out of reach'(twin) {
    const { items } = await twin.link.call('blocks_add', { markdown: 'new', position: endOf(twin.visible) })
    const call = await lastCall(twin.link)
    await twin.hideMore(async () => {
      const links = await collectionIn(twin, twin.hidden, 'Links', [{ type: 'blockLink', name: 'See' }])
      await itemIn(twin, links, { title: 'a', properties: { see: { blockId: items[0].id } } })
    })
    return [call]
  },
  async 'the call also deleted something out of reach'(twin) {
    const { full, ids, hasMore } = twin
    await full.call('blocks_delete', { blockIds: hasMore ? [ids.two, ids.far] : [ids.two] })
    return [await lastCall(full)]
  },
  async 'the call was undone out of reach'(twin) {
    const { full, ids, hidden, hasMore } = twin
    await full.call('blocks_delete', { blockIds: hasMore ? [ids.two, ids.far] : [ids.two] })
    const call = await lastCall(full)
    await twin.hideMore(() => full.call('history_undo', { calls: [call], documentId: hidden }))
    return [call]
  },
  async 'the call also changed a relation that leads out of reach'(twin) {
    const { tasks, item, ada, bob } = await related(twin)
    const who = twin.hasMore ? to(ada, bob) : to(ada)
    await twin.full.call('items_update', {
      collectionId: tasks,
      itemsToUpdate: [{ id: item, properties: { note: 'y', who } }],
    })
    return [await lastCall(twin.full)]
  },
  async 'a deleted item had relations that lead out of reach'(twin) {
    const { tasks, item, ada, bob } = await related(twin)
    const who = twin.hasMore ? to(ada, bob) : to(ada)
    await twin.full.call('items_update', { collectionId: tasks, itemsToUpdate: [{ id: item, properties: { who } }] })
    await twin.link.call('items_delete', { collectionId: tasks, idsToDelete: [item] })
    return [await lastCall(twin.link)]
  },
  async 'a deleted item had a relation that leads to what was deleted out of reach since'(twin) {
    const { tasks, item, people, ada } = await related(twin)
    await twin.full.call('items_update', {
      collectionId: tasks,
      itemsToUpdate: [{ id: item, properties: { who: to(ada) } }],
    })
    await twin.link.call('items_delete', { collectionId: tasks, idsToDelete: [item] })
    const call = await lastCall(twin.link)
    await twin.hideMore(() => twin.full.call('items_delete', { collectionId: people, idsToDelete: [ada] }))
    return [call]
  },
  async 'a relation that leads out of reach was removed, and what it led to was deleted'(twin) {
    const { tasks, people } = await related(twin)
    const schema = { name: 'Tasks', properties: [{ type: 'text', name: 'Note', key: 'note' }] }
    await twin.link.call('schema_update', { collectionId: tasks, schema })
    const call = await lastCall(twin.link)
    await twin.hideMore(() => twin.full.call('blocks_delete', { blockIds: [people] }))
    return [call]
  },
  async 'a collection was deleted to which a relation out of reach led'(twin) {
    const { tasks } = await related(twin)
    await twin.link.call('blocks_delete', { blockIds: [tasks] })
    return [await lastCall(twin.link)]
  },
  async 'a link to a block was set beside one that leads out of reach'(twin) {
    const { ids, hasMore } = twin
    const set = await linking(twin, null)
    await set(twin.full, hasMore ? ids.far : undefined)
    await set(twin.link, ids.two, 'changed')
    return [await lastCall(twin.link)]
  },
  async 'a link to a block was replaced by one that leads out of reach'(twin) {
    const { ids, hasMore } = twin
    const set = await linking(twin, ids.one)
    await set(twin.link, ids.two, 'changed')
    const call = await lastCall(twin.link)
    await set(twin.full, hasMore ? ids.far : undefined)
    return [call]
  },
  async 'a link to a block was cleared, and one set that leads out of reach'(twin) {
    const { ids, hasMore } = twin
    const set = await linking(twin, ids.one)
    await set(twin.link, undefined, 'changed')
    const call = await lastCall(twin.link)
    await set(twin.full, hasMore ? ids.far : undefined)
    return [call]
  },
  async 'the call also moved the document among folders'(twin) {
    const { full, visible, hasMore } = twin
    const folderId = await twin.hide(async () => {
      const { items } = await full.call('folders_add', { folders: [{ name: 'Folder' }] })
      return items[0].id
    })
    const destination = { folderId }
    const move = { tool: 'documents_move', arguments: { documentIds: [visible], destination } }
    const add = { tool: 'blocks_add', arguments: { markdown: 'new', position: endOf(visible) } }
    await full.call('batch', { steps: hasMore ? [move, add] : [add] })
    const call = await lastCall(full)
    await twin.hideMore(() => full.call('folders_delete', { folderIds: [folderId] }))
    return [call]
  },
  async 'an added block got a reminder of somebody else'(twin) {
    const { full, link, visible } = twin
    await full.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Ben'))
    const made = await full.space.createAccessLink('full', [], 'Ben')
    const ben = await connect('full', { to: full, caller: { link: { ...made, participant: 2, isSignedIn: true } } })
    const { items } = await link.call('blocks_add', { markdown: 'new', position: endOf(visible) })
    const call = await lastCall(link)
    await twin.hideMore(() => ben.call('reminders_add', { reminders: [{ blockId: items[0].id }] }))
    return [call]
  },
}
