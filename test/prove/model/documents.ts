/** The model of the tools for documents and folders. */
import { copyContent } from './copies.ts'
import { Id } from './ids.ts'
import { read } from './texts.ts'
import { insert, makeDocument } from './tree.ts'
import { type Document, type Folder, invalid, isKept, type World } from './world.ts'

interface Destination {
  destination?: string
  folderId?: string
}

type Place = Omit<Document, 'root'>

function checkDestination({ destination, folderId }: Destination): void {
  if ((destination === undefined) === (folderId === undefined)) throw invalid()
  if (destination !== undefined && destination !== 'unsorted' && destination !== 'templates') throw invalid()
}

function placeOf(world: World, { destination, folderId }: Destination): Place {
  if (folderId === undefined) return { location: destination ?? '', folder: undefined, date: undefined }
  return { location: 'folder', folder: world.folder(folderId), date: undefined }
}

interface Adding {
  documents: { title: string; markdown?: string; templateId?: string }[]
  destination?: Destination
}

export function addDocuments(world: World, { documents, destination = { destination: 'unsorted' } }: Adding): object {
  checkDestination(destination)
  if (documents.length === 0 || documents.some(({ title }) => title === '')) throw invalid()
  const place = placeOf(world, destination)
  const items = documents.map(({ title, markdown = '', templateId }) => {
    const template = templateId === undefined ? undefined : world.document(templateId)
    if (template !== undefined && template.location !== 'templates') throw invalid()
    const { root } = makeDocument(world, title, { ...place })
    if (template !== undefined) copyContent(world, template.root, root)
    const content = read(markdown)
    if (content.length > 0) insert(world, content, { parent: root, at: 'end' })
    return { id: root.id, rootBlockId: root.id, title }
  })
  return { items }
}

export function deleteDocuments(world: World, { documentIds }: { documentIds: string[] }): object {
  if (documentIds.length === 0) throw invalid()
  const documents = [...new Set(documentIds)].map((id) => world.document(id))
  for (const document of documents) put(world, document, { ...document, location: 'trash', folder: undefined })
  return { items: documents.map(({ root }) => root.id) }
}

interface Moving {
  documentIds: string[]
  destination: Destination
}

export function moveDocuments(world: World, { documentIds, destination }: Moving): object {
  checkDestination(destination)
  if (documentIds.length === 0) throw invalid()
  const place = placeOf(world, destination)
  const documents = [...new Set(documentIds)].map((id) => world.document(id))
  const places = documents.map((document) => {
    if (document.location === 'daily_notes') throw invalid()
    const { date } = document
    const isFree = !world.documents.some((other) => other.location === 'daily_notes' && other.date === date)
    const isNote = document.location === 'trash' && date !== undefined && isFree && place.location === 'unsorted'
    put(world, document, isNote ? { location: 'daily_notes', folder: undefined, date } : place)
    return isNote ? { destination: 'daily_notes', dailyNoteDate: date } : destination
  })
  return { items: documents.map(({ root }, index) => ({ id: root.id, destination: places[index] })) }
}

function put(world: World, document: Document, { location, folder, date }: Place): void {
  world.journal.set(document, 'location', location)
  world.journal.set(document, 'folder', folder)
  world.journal.set(document, 'date', date)
  world.touched.add(document)
}

const BUILT_IN = ['unsorted', 'trash', 'templates', 'daily_notes']

function ownFolder(world: World, id: string): Folder {
  if (BUILT_IN.includes(id)) throw invalid()
  return world.folder(id)
}

/** Built-in locations are refused before any folder is looked up. */
function ownFolders(world: World, ids: readonly string[]): Folder[] {
  if (ids.some((id) => BUILT_IN.includes(id))) throw invalid()
  return ids.map((id) => world.folder(id))
}

export function addFolders(
  world: World,
  { folders }: { folders: { name: string; parentFolderId?: string }[] },
): object {
  if (folders.length === 0 || folders.some(({ name }) => name === '')) throw invalid()
  ownFolders(
    world,
    folders.flatMap(({ parentFolderId }) => parentFolderId ?? []),
  )
  const items = folders.map(({ name, parentFolderId }) => {
    const parent = parentFolderId === undefined ? undefined : world.folder(parentFolderId)
    const folder: Folder = { id: new Id((id) => world.folders.set(id, folder)), name, parent }
    world.journal.insert(world.folderList, world.folderList.length, folder)
    world.journal.onUndo(() => world.folders.delete(folder.id.value ?? ''))
    return { id: folder.id, name, parentFolderId }
  })
  return { items }
}

export function deleteFolders(world: World, { folderIds }: { folderIds: string[] }): object {
  if (folderIds.length === 0) throw invalid()
  const folders = ownFolders(world, [...new Set(folderIds)])
  for (const folder of folders) {
    const { parent } = folder
    for (const document of world.documents) {
      if (document.folder !== folder) continue
      put(world, document, { ...document, location: parent === undefined ? 'unsorted' : 'folder', folder: parent })
    }
    for (const inner of world.folderList) if (inner.parent === folder) world.journal.set(inner, 'parent', parent)
    world.journal.remove(world.folderList, folder)
    world.drop(world.folders, folder)
  }
  return { items: folders.map(({ id }) => id) }
}

interface MovingFolders {
  folderIds: string[]
  destination: { destination?: string; parentFolderId?: string }
}

export function moveFolders(world: World, { folderIds, destination }: MovingFolders): object {
  const { destination: place, parentFolderId } = destination
  if (folderIds.length === 0 || (place === undefined) === (parentFolderId === undefined)) throw invalid()
  if (place !== undefined && place !== 'root') throw invalid()
  const parent = parentFolderId === undefined ? undefined : ownFolder(world, parentFolderId)
  const folders = [...new Set(folderIds)]
  for (const folder of ownFolders(world, folders)) {
    for (let around = parent; around !== undefined; around = around.parent) if (around === folder) throw invalid()
    world.journal.set(folder, 'parent', parent)
  }
  return { items: folders.map((id) => ({ id, destination })) }
}

export function renameFolders(world: World, { folders }: { folders: { id: string; name: string }[] }): object {
  if (folders.length === 0 || folders.some(({ name }) => name === '')) throw invalid()
  const found = ownFolders(
    world,
    folders.map(({ id }) => id),
  )
  const renamed = folders.map((given, index) => ({ folder: found[index] as Folder, ...given }))
  if (new Set(renamed.map(({ folder }) => folder)).size < renamed.length) throw invalid()
  for (const { folder, name } of renamed) world.journal.set(folder, 'name', name)
  return { items: renamed.map(({ id, name }) => ({ id, name })) }
}

/** The items in the response of documents_list. */
export const listDocuments = (world: World): object[] =>
  world.documents
    .filter((one) => !isKept(one))
    .map(({ root, location, folder, date }) => {
      const isDeleted = location === 'trash'
      return {
        ...{ id: root.id, rootBlockId: root.id, title: root.text, isDeleted },
        location: location === 'folder' ? undefined : location,
        folderId: folder?.id,
        dailyNoteDate: date,
      }
    })

/** The items in the response of folders_list. */
export function listFolders(world: World): object[] {
  const count = (holds: (document: Document) => boolean) => world.documents.filter(holds).length
  const inside = (parent: Folder | undefined): object[] =>
    world.folderList
      .filter((folder) => folder.parent === parent)
      .map((folder) => {
        const documentCount = count((document) => document.folder === folder)
        return { id: folder.id, name: folder.name, documentCount, folders: inside(folder) }
      })
  const builtIn = Object.entries({ unsorted: 'Unsorted', trash: 'Trash', templates: 'Templates' })
  return [
    ...builtIn.map(([id, name]) => ({
      id,
      name,
      documentCount: count(({ location }) => location === id),
      folders: [],
    })),
    ...inside(undefined),
  ]
}
