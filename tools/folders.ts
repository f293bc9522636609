import { z } from 'zod'
import { ITEMS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint, type InputAlias } from '../src/endpoint.ts'
import {
  addFolders,
  deleteFolders,
  type FolderDestination,
  type FolderTree,
  listFolders,
  moveFolders,
  type NewFolder,
  renameFolders,
} from '../src/space/folders/folders.ts'
import { id, ids, title } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { conflicts, expected, partial } from './shapes/conditions.ts'
import { idAliases, named, soleEntry } from './shapes/input-aliases.ts'
import { answer, idsAlone, idsChanged } from './shapes/short-answers.ts'

const fullOnly = ['full'] as const
/** Levels of subfolders in the response schema. Some clients do not support recursive schemas. */
const DESCRIBED_LEVELS = 3
const folderTree = (levels: number): z.ZodType<FolderTree> =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    documentCount: z.int(),
    folders: z.array(levels > 1 ? folderTree(levels - 1) : deeperFolder),
  })
const deeperFolder = z.looseObject({}) as unknown as z.ZodType<FolderTree>

const list = endpoint({
  name: 'folders_list',
  title: 'List folders',
  description: 'List all folders as a tree with the count of documents in each.',
  route: 'GET /folders',
  effect: 'read',
  alsoKnownAs: ['folders_get', 'folders_tree'],
  input: byKind(() => z.strictObject({}), fullOnly),
  output: z.strictObject({ items: z.array(folderTree(DESCRIBED_LEVELS)) }),
  handle: ({ space }) => listFolders(space),
})

/** A folder to add, with its subfolders, in the format of folders_list. */
const newFolder = z
  .strictObject({
    name: title,
    parentFolderId: id.optional(),
    documentCount: z.unknown().optional().meta({ hidden: true }),
    get folders(): z.ZodOptional<z.ZodArray<z.ZodType<NewFolder>>> {
      return z
        .array(newFolder as unknown as z.ZodType<NewFolder>)
        .max(ITEMS_PER_CALL)
        .optional()
        .meta({ hidden: true })
    },
  })
  .meta({ component: 'NewFolder' })

const add = endpoint({
  name: 'folders_add',
  title: 'Add folders',
  description: 'Make folders, at the top or in other folders.',
  route: 'POST /folders',
  effect: 'add',
  aliases: [
    ...named('folders', 'folder items'),
    ...soleEntry('folders', 'name title parentFolderId parentId parent'),
    {
      from: 'folders',
      to: 'folders',
      when: (list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
      value: (list) => (list as string[]).map((name) => ({ name })),
    },
    ...named('name', 'title', 'folders[].'),
    ...named('parentFolderId', 'parentId parent folderId', 'folders[].'),
  ],
  alsoKnownAs: ['folders_create'],
  input: byKind(
    () =>
      z.strictObject({
        folders: z.array(newFolder).min(1).max(ITEMS_PER_CALL),
        answer,
      }),
    fullOnly,
  ),
  output: z.strictObject({
    items: z.array(z.strictObject({ id: z.string(), name: z.string(), parentFolderId: z.string().optional() })),
  }),
  shorten: idsAlone,
  parts: entryParts('folders', { kind: 'other' }),
  handle: ({ space }, { folders }) => addFolders(space, folders),
})

/** `{ destination: "root" }`, `{ parentFolderId }`, or the bare word root. */
const destination = z
  .union([z.literal('root'), z.strictObject({ destination: z.string().optional(), parentFolderId: id.optional() })])
  .transform((input, context): FolderDestination => {
    if (input === 'root') return { destination: 'root' }
    if (input.destination === 'root' && input.parentFolderId === undefined) return { destination: 'root' }
    if (input.destination === undefined && input.parentFolderId !== undefined)
      return { parentFolderId: input.parentFolderId }
    const found = input.destination === undefined ? 'neither' : `destination ${input.destination}`
    const message = `Expected { destination: "root" } or { parentFolderId }, found ${input.parentFolderId === undefined ? found : 'both'}; give one of them.`
    context.addIssue({ code: 'custom', message, input })
    return z.NEVER
  })
  .meta({
    component: 'FolderDestination',
    published: {
      type: 'object',
      properties: { destination: { type: 'string', enum: ['root'] }, parentFolderId: { type: 'string' } },
    },
  })

const move = endpoint({
  name: 'folders_move',
  title: 'Move folders',
  description: 'Move folders into another folder, or to the top.',
  route: 'PUT /folders/move',
  effect: 'change',
  hints: { destructive: false },
  aliases: [
    ...idAliases('folderIds', 'folderId folders'),
    { from: 'destination', to: 'destination.parentFolderId', when: (to) => typeof to === 'string' && to !== 'root' },
    ...named('destination.parentFolderId', 'parentFolderId parentId parent'),
    ...named('parentFolderId', 'folderId parentId id', 'destination.'),
  ],
  input: byKind(() => z.strictObject({ folderIds: ids, destination, answer }), fullOnly),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        destination: z.strictObject({ destination: z.string().optional(), parentFolderId: z.string().optional() }),
      }),
    ),
  }),
  shorten: idsChanged('folderIds'),
  parts: entryParts('folderIds', { kind: 'other', subject: '' }),
  handle: ({ space }, { folderIds, destination }) => moveFolders(space, folderIds, destination),
})

const update = endpoint({
  name: 'folders_update',
  title: 'Rename folders',
  description: 'Rename folders.',
  route: 'PUT /folders',
  effect: 'change',
  aliases: [
    ...named('folders', 'foldersToUpdate folder items'),
    ...soleEntry('folders', 'id folderId name title newName'),
    ...named('id', 'folderId', 'folders[].'),
    ...named('name', 'title newName', 'folders[].'),
    ...['parentFolderId', 'parentId', 'parent'].map(
      (word): InputAlias => ({
        from: `folders[].${word}`,
        instead: 'move folders with folders_move: their folderIds and a destination',
      }),
    ),
  ],
  alsoKnownAs: ['folders_rename', 'folders_edit'],
  input: byKind(
    () =>
      z.strictObject({
        folders: z
          .array(z.strictObject({ id, name: title, expected }).meta({ component: 'FolderChange' }))
          .min(1)
          .max(ITEMS_PER_CALL),
        partial,
        answer,
      }),
    fullOnly,
  ),
  output: z.strictObject({ items: z.array(z.strictObject({ id: z.string(), name: z.string() })), conflicts }),
  shorten: idsChanged('folders'),
  parts: entryParts('folders', { kind: 'other', subject: 'id' }),
  handle: ({ space }, { folders, partial }) => renameFolders(space, folders, partial),
})

const remove = endpoint({
  name: 'folders_delete',
  title: 'Delete folders',
  description: 'Delete folders. What they hold moves to the folder around them, or to Unsorted.',
  route: 'DELETE /folders',
  effect: 'delete',
  aliases: idAliases('folderIds', 'folderId folders'),
  input: byKind(() => z.strictObject({ folderIds: ids }), fullOnly),
  output: z.strictObject({ items: z.array(z.string()) }),
  parts: entryParts('folderIds', { kind: 'other', subject: '' }),
  handle: ({ space }, { folderIds }) => deleteFolders(space, folderIds),
})

export const folders = [list, add, move, update, remove]
