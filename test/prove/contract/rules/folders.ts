/** Rules about folders. */

import { FULL, type RuleGroup } from '../rule.ts'
import { has, holds, idsOf, one, type RuleContext, same, withId } from '../rule-context.ts'
import { addFolder, inFolder, list } from './folder-setup.ts'

const treeOf = async (at: RuleContext) => (await at.done('folders_list')).items

export const folders: RuleGroup = {
  title: 'folders',
  rules: [
    {
      statement: 'GET answers with the tree of folders and the number of documents in each.',
      kinds: FULL,
      async check(at) {
        const outer = await addFolder(at, 'outer')
        await addFolder(at, 'inner', { parentFolderId: outer })
        await inFolder(at, outer)
        has(withId(await treeOf(at), outer), {
          name: 'outer',
          documentCount: 1,
          folders: [{ name: 'inner', documentCount: 0 }],
        })
      },
    },
    {
      statement: 'The tree has unsorted, templates and trash.',
      kinds: FULL,
      async check(at) {
        const tree = await treeOf(at)
        for (const id of ['unsorted', 'templates', 'trash'])
          holds(typeof withId(tree, id).documentCount === 'number', id)
      },
    },
    {
      statement: 'POST makes folders at the top or in others, and answers with their IDs.',
      kinds: FULL,
      async check(at) {
        const { items } = await at.done('folders_add', { folders: [{ name: 'one' }, { name: 'two' }] })
        same(
          items.map(({ name }) => name),
          ['one', 'two'],
        )
        const parentFolderId = items[0]?.id ?? ''
        const inner = one((await at.done('folders_add', { folders: [{ name: 'inner', parentFolderId }] })).items)
        same(idsOf(withId(await treeOf(at), parentFolderId).folders), [inner.id])
      },
    },
    {
      statement: 'DELETE answers with the IDs of the deleted folders.',
      kinds: FULL,
      async check(at) {
        const id = await addFolder(at, 'a folder')
        same((await at.done('folders_delete', { folderIds: [id] })).items as unknown, [id])
        holds(!idsOf(await treeOf(at)).includes(id), 'Expected the folder to be gone')
      },
    },
    {
      statement: 'Documents and subfolders of a deleted folder at the top move out of it, documents to Unsorted.',
      kinds: FULL,
      async check(at) {
        const outer = await addFolder(at, 'outer')
        const inner = await addFolder(at, 'inner', { parentFolderId: outer })
        const id = await inFolder(at, outer)
        await at.done('folders_delete', { folderIds: [outer] })
        has(one(await list(at, { documentIds: [id] })), { location: 'unsorted', isDeleted: false })
        withId(await treeOf(at), inner)
      },
    },
    {
      statement: 'Documents and subfolders of a deleted nested folder move to the folder around it.',
      kinds: FULL,
      async check(at) {
        const outer = await addFolder(at, 'outer')
        const middle = await addFolder(at, 'middle', { parentFolderId: outer })
        const inner = await addFolder(at, 'inner', { parentFolderId: middle })
        const id = await inFolder(at, middle)
        await at.done('folders_delete', { folderIds: [middle] })
        has(one(await list(at, { documentIds: [id] })), { folderId: outer })
        same(idsOf(withId(await treeOf(at), outer).folders), [inner])
      },
    },
    {
      statement: 'A folder must be empty to be deleted.',
      cannot:
        'The contract gives this and its opposite, and reconciles them nowhere. Here a folder need not be empty: what it holds moves out.',
    },
    {
      statement: 'PUT /folders/move moves folders to the top or into another, and answers with their new places.',
      kinds: FULL,
      async check(at) {
        const [first, other] = [await addFolder(at, 'one'), await addFolder(at, 'other')]
        const into = { parentFolderId: other }
        has(one((await at.done('folders_move', { folderIds: [first], destination: into })).items), {
          id: first,
          destination: into,
        })
        same(idsOf(withId(await treeOf(at), other).folders), [first])
        const root = { destination: 'root' }
        has(one((await at.done('folders_move', { folderIds: [first], destination: root })).items), {
          id: first,
          destination: root,
        })
        withId(await treeOf(at), first)
      },
    },
    {
      statement: 'A folder is not moved into itself or below.',
      kinds: FULL,
      async check(at) {
        const outer = await addFolder(at, 'outer')
        const inner = await addFolder(at, 'inner', { parentFolderId: outer })
        for (const parentFolderId of [outer, inner]) {
          await at.refused('folders_move', { folderIds: [outer], destination: { parentFolderId } })
        }
      },
    },
  ],
}
