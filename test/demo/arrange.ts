/** Reads documents, moves their content, deletes and restores some, and compares each with its expected content. */

import type { DemoReport } from './demo-report.ts'
import type { Host } from './host.ts'
import { withBar } from './progress.ts'
import { type Block, idsOf, listed, readBlocks, type Shelved } from './shelf.ts'

/** A folder as returned by `folders_list`. */
interface Folder {
  id: string
  name: string
  documentCount: number
}

export async function readBack(host: Host, shelf: readonly Shelved[], report: DemoReport): Promise<void> {
  await report.time('Read as blocks', 'blocks', async () => {
    let count = 0
    await withBar('Reading blocks', shelf, async (document) => {
      document.blocks = await readBlocks(host, document.id)
      count += document.blocks.length
      report.expect(`${document.title} holds blocks`, document.blocks.length > 0, true)
    })
    return count
  })
  await report.time('Read as Markdown', 'characters', async () => {
    let count = 0
    await withBar('Reading Markdown', shelf, async ({ id, title, blocks }) => {
      const { text } = await readMarkdown(host, id)
      count += text.length
      const missing = blocks.find(
        ({ type, markdown }) => type === 'text' && !text.includes(lastLine(ownWords(markdown))),
      )
      report.expect(`${title} says the same as Markdown`, missing?.markdown, undefined)
    })
    return count
  })
}

export const readMarkdown = (host: Host, id: string) =>
  host.read('blocks_get', { id, format: 'markdown', maxBlocks: 20_000 })

const lastLine = (markdown: string): string => markdown.trim().split('\n').at(-1) ?? ''

/** Moves the last block of every fifth document to its start, and the first of every ninth to a collecting page. */
export async function moveBlocks(host: Host, shelf: readonly Shelved[], gathering: Shelved, report: DemoReport) {
  await report.time('Blocks moved', 'blocks', async () => {
    const within = shelf.filter(({ blocks }, index) => index % 5 === 0 && blocks.length > 2)
    const between = shelf.filter(({ blocks }, index) => index % 9 === 1 && blocks.length > 2)
    await withBar('Moving blocks', within, async (document) => {
      const top = await topBlocks(host, document.id)
      const last = top.at(-1) ?? ''
      await host.call('blocks_move', { blockIds: [last], position: { position: 'start', pageId: document.id } })
      report.expect(`${document.title} in its new order`, await topBlocks(host, document.id), [
        last,
        ...top.slice(0, -1),
      ])
    })
    const moved: string[] = []
    for (const document of between) {
      const [first = '', ...others] = await topBlocks(host, document.id)
      await host.call('blocks_move', { blockIds: [first], position: { position: 'end', pageId: gathering.id } })
      moved.push(first)
      report.expect(`${document.title} without its first block`, await topBlocks(host, document.id), others)
    }
    report.expect('the gathering page in its order', await topBlocks(host, gathering.id), moved)
    for (const document of [...within, ...between, gathering]) document.blocks = await readBlocks(host, document.id)
    return within.length + between.length
  })
}

/** Deletes every second of the collected blocks. */
export async function deleteBlocks(host: Host, gathering: Shelved, report: DemoReport): Promise<void> {
  await report.time('Blocks deleted', 'blocks', async () => {
    const top = await topBlocks(host, gathering.id)
    const blockIds = top.filter((_, index) => index % 2 === 1)
    await host.call('blocks_delete', { blockIds })
    const kept = top.filter((_, index) => index % 2 === 0)
    report.expect('the gathering page without them', await topBlocks(host, gathering.id), kept)
    gathering.blocks = await readBlocks(host, gathering.id)
    return blockIds.length
  })
}

async function topBlocks(host: Host, id: string): Promise<string[]> {
  const root = await host.call<Block>('blocks_get', { id, format: 'json', maxDepth: 1, maxBlocks: 20_000 })
  return idsOf(root.content ?? [])
}

/** Moves documents that are alone in their folder into a common one, and deletes the empty folders. */
export async function moveDocuments(host: Host, shelf: readonly Shelved[], folderId: string, report: DemoReport) {
  await report.time('Documents moved', 'documents', async () => {
    const alone = [...Map.groupBy(shelf, (document) => document.folderId).values()]
      .filter(({ length }) => length === 1)
      .flat()
    if (alone.length === 0) return 0
    const emptied = alone.map((document) => document.folderId)
    await host.call('documents_move', { documentIds: alone.map(({ id }) => id), destination: { folderId } })
    for (const document of alone) document.folderId = folderId
    await host.call('folders_delete', { folderIds: emptied })
    return alone.length
  })
}

/** Moves every seventh document to the trash and back. */
export async function deleteAndRestore(host: Host, shelf: readonly Shelved[], report: DemoReport): Promise<void> {
  const chosen = shelf.filter((_, index) => index % 7 === 0)
  const ids = chosen.map(({ id }) => id)
  await report.time('Documents deleted', 'documents', async () => {
    await host.call('documents_delete', { documentIds: ids })
    report.expect('the trash', idsOf(await listed(host, { location: 'trash' })).sort(), ids.toSorted())
    return ids.length
  })
  await report.time('Documents restored', 'documents', async () => {
    for (const [folderId, documents] of Map.groupBy(chosen, (document) => document.folderId)) {
      await host.call('documents_move', { documentIds: documents.map(({ id }) => id), destination: { folderId } })
    }
    report.expect('the trash, emptied', idsOf(await listed(host, { location: 'trash' })), [])
    await withBar('Comparing what was restored', chosen, async ({ id, title, blocks }) => {
      report.expect(`${title} as it was`, await readBlocks(host, id), blocks)
    })
    return ids.length
  })
}

/** Checks that every document is in the right folder, by comparing the counts of folders with ours. */
export async function checkFolders(host: Host, shelf: readonly Shelved[], report: DemoReport): Promise<void> {
  const { items } = await host.call<{ items: Folder[] }>('folders_list', {})
  const expected = Map.groupBy(shelf, ({ folderId }) => folderId)
  for (const { id, name, documentCount } of items) {
    report.expect(`documents in folder ${name}`, documentCount, expected.get(id)?.length ?? 0)
  }
  report.expect(
    'folders with documents',
    [...expected.keys()].every((id) => items.some((folder) => folder.id === id)),
    true,
  )
  for (const [folderId, documents] of expected) {
    report.expect(
      `the list of folder ${folderId}`,
      idsOf(await listed(host, { folderId })).sort(),
      documents.map(({ id }) => id).sort(),
    )
  }
}

/** Around a block that is read alone stand the tags of its callout, and before it a number that counts no others. */
const ownWords = (markdown: string): string =>
  markdown
    .replace(/<\/?callout[^>]*>\n?/g, '')
    .replace(/^\s*\d+[.)] /, '')
    .trimEnd()
