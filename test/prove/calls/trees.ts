/** Calls on documents, folders and blocks. */

import type { Call } from '../model/model.ts'
import type { Chooser } from './chooser.ts'
import type { Pools } from './pools.ts'
import { day, line, sentence, text, title } from './texts.ts'

/** Usually returns one of these IDs, and rarely the ID of another thing or one that does not exist. */
export function idOf(chooser: Chooser, pools: Pools, list: readonly string[]): string {
  if (chooser.once(30)) return chooser.one(pools.gone)
  if (chooser.once(40)) return chooser.any([...pools.blocks, ...pools.documents, ...pools.folders]) ?? 'none'
  return chooser.any(list) ?? chooser.one(pools.gone)
}

export function idsOf(chooser: Chooser, pools: Pools, list: readonly string[], most = 3): string[] {
  if (chooser.once(60)) return []
  return [...new Set(chooser.times(most, () => idOf(chooser, pools, list)))]
}

export function position(chooser: Chooser, pools: Pools): object {
  const edge = chooser.one(['start', 'end', 'end'])
  if (chooser.once(60)) return { position: edge, pageId: idOf(chooser, pools, pools.holders), date: 'today' }
  if (chooser.once(10)) return chooser.once(3) ? { position: edge } : { position: edge, date: day(chooser) }
  if (chooser.once(3))
    return { position: chooser.one(['before', 'after']), siblingId: idOf(chooser, pools, pools.blocks) }
  return { position: edge, pageId: idOf(chooser, pools, pools.holders) }
}

function destination(chooser: Chooser, pools: Pools): object {
  if (chooser.once(30)) return { destination: 'trash' }
  if (chooser.once(2)) return { folderId: idOf(chooser, pools, pools.folders) }
  return { destination: chooser.one(['unsorted', 'templates']) }
}

export function documents(chooser: Chooser, pools: Pools): Call {
  const which = chooser.number(10)
  if (which < 3 || pools.documents.length < 2) {
    const documents = chooser.times(2, () => ({
      title: title(chooser),
      ...(chooser.once(3) ? {} : { markdown: text(chooser) }),
      ...(chooser.once(3) && pools.templates.length > 0 && { templateId: idOf(chooser, pools, pools.templates) }),
    }))
    return {
      tool: 'documents_add',
      args: { documents, ...(chooser.once(2) && { destination: destination(chooser, pools) }) },
    }
  }
  const documentIds = idsOf(chooser, pools, pools.documents, 2)
  if (which < 8) return { tool: 'documents_move', args: { documentIds, destination: destination(chooser, pools) } }
  return { tool: 'documents_delete', args: { documentIds } }
}

export function folders(chooser: Chooser, pools: Pools): Call {
  const which = chooser.number(10)
  const parent = () => (chooser.once(20) ? chooser.one(['trash', 'unsorted']) : idOf(chooser, pools, pools.folders))
  if (which < 4 || pools.folders.length === 0) {
    const folders = chooser.times(2, () => ({
      name: title(chooser),
      ...(chooser.once(2) && { parentFolderId: parent() }),
    }))
    return { tool: 'folders_add', args: { folders } }
  }
  const folderIds = idsOf(chooser, pools, pools.folders, 2)
  if (which < 6) return { tool: 'folders_delete', args: { folderIds } }
  if (which < 8) {
    return { tool: 'folders_update', args: { folders: folderIds.map((id) => ({ id, name: title(chooser) })) } }
  }
  const destination = chooser.once(4) ? { destination: 'root' } : { parentFolderId: parent() }
  return { tool: 'folders_move', args: { folderIds, destination } }
}

export function blocks(chooser: Chooser, pools: Pools): Call {
  const which = chooser.number(pools.linePages.length > 0 ? 24 : 20)
  if (which >= 20) return editPage(chooser, pools)
  if (which < 6) return addBlocks(chooser, pools)
  if (which < 11) return updateBlocks(chooser, pools)
  const blockIds = idsOf(chooser, pools, pools.blocks)
  if (which < 17) return { tool: 'blocks_move', args: { blockIds, position: position(chooser, pools) } }
  return { tool: 'blocks_delete', args: { blockIds: blockIds.slice(0, 2) } }
}

function addBlocks(chooser: Chooser, pools: Pools): Call {
  const args: Record<string, unknown> = { position: position(chooser, pools) }
  if (chooser.once(3)) args.markdown = text(chooser)
  else args.blocks = chooser.times(3, () => newBlock(chooser))
  if (chooser.once(4)) args.answer = 'ids'
  if (chooser.once(60)) args.colour = 'red'
  return { tool: 'blocks_add', args }
}

/** @param depth  the number of enclosing pages */
export function newBlock(chooser: Chooser, depth = 0): object {
  const kind = chooser.number(24)
  const content = () => (depth < 3 ? { content: chooser.times(3, () => newBlock(chooser, depth + 1)) } : {})
  if (kind < 5)
    return { type: 'page', title: title(chooser), ...(chooser.once(4) && { textStyle: 'card' }), ...content() }
  if (kind === 5) return { type: 'text', markdown: sentence(chooser), ...content() }
  if (kind === 6)
    return { type: 'code', rawCode: `let ${title(chooser)}`, ...(chooser.once(2) && { language: 'typescript' }) }
  if (kind === 7) return { type: 'line', ...(chooser.once(2) && { lineStyle: chooser.one(LINE_STYLES) }) }
  if (kind === 8) return { type: 'richUrl', url: 'https://example.org/a', title: title(chooser) }
  if (kind === 9) return { type: 'image', url: 'https://example.org/a.png', altText: title(chooser) }
  if (kind === 10) return { type: 'table', markdown: `| ${title(chooser)} | b |\n| --- | --- |\n| c | d |` }
  if (kind === 11) return chooser.once(5) ? wrong(chooser) : { type: 'whiteboard' }
  if (kind < 15) return { type: 'text', markdown: line(chooser) }
  return { type: 'text', markdown: sentence(chooser), ...textFields(chooser) }
}

const LINE_STYLES = ['strong', 'regular', 'light', 'extraLight', 'pageBreak']

const wrong = (chooser: Chooser): object =>
  chooser.one([
    { type: 'text' },
    { type: 'line', textStyle: 'h1' },
    { type: 'text', markdown: 'a', listStyle: 'dotted' },
    { type: 'heading', markdown: 'a' },
    { type: 'text', markdown: 'a', indentationLevel: 9 },
  ])

function textFields(chooser: Chooser): object {
  const kind = chooser.number(8)
  if (kind === 0) return { textStyle: chooser.one(['h1', 'h3', 'caption', 'body']) }
  if (kind === 1) return { listStyle: chooser.one(['none', 'bullet', 'numbered', 'toggle']) }
  if (kind === 2) return { decorations: chooser.one([['quote'], ['callout'], []]) }
  if (kind === 3) return { listStyle: 'bullet', indentationLevel: chooser.number(4) }
  if (kind === 4) return { textAlignment: chooser.one(['left', 'center']), font: chooser.one(['serif', 'mono']) }
  if (kind === 5) return { listStyle: 'task' }
  return { listStyle: 'task', taskInfo: taskInfo(chooser) }
}

export function taskInfo(chooser: Chooser): object {
  return {
    ...(chooser.once(2) && { state: chooser.one(['todo', 'done', 'canceled']) }),
    ...(chooser.once(2) && { scheduleDate: day(chooser) }),
    ...(chooser.once(4) && { deadlineDate: day(chooser) }),
    ...(chooser.once(40) && { state: 'someday' }),
  }
}

function updateBlocks(chooser: Chooser, pools: Pools): Call {
  const ids = idsOf(
    chooser,
    pools,
    chooser.one([pools.texts, pools.texts, pools.pages, pools.codes, pools.blocks, pools.tasks]),
  )
  return { tool: 'blocks_update', args: { blocks: ids.map((id) => ({ id, ...change(chooser, pools, id) })) } }
}

/** Removes, inserts or replaces lines of a page. Rarely, the revision is stale. */
function editPage(chooser: Chooser, pools: Pools): Call {
  const lines = (most: number) => chooser.times(most, () => line(chooser))
  const [remove, insert] = chooser.one([
    [0, lines(3)],
    [1 + chooser.number(3), []],
    [1, lines(1)],
  ])
  const place = { pageId: idOf(chooser, pools, pools.linePages), at: chooser.number(40) }
  return { tool: 'blocks_update', args: { ...place, remove, insert, ...(chooser.once(20) && { isStale: true }) } }
}

function change(chooser: Chooser, pools: Pools, id: string): object {
  if (pools.codes.includes(id)) return chooser.once(3) ? { language: 'python' } : { rawCode: `let ${title(chooser)}` }
  if (pools.pages.includes(id)) {
    const kind = chooser.number(4)
    if (kind === 0) return { textStyle: chooser.one(['card', 'body']) }
    return kind === 1 ? { title: title(chooser) } : { markdown: title(chooser) }
  }
  if (!pools.texts.includes(id)) return chooser.once(4) ? { markdown: title(chooser) } : { indentationLevel: 0 }
  if (chooser.once(30)) return { lineStyle: 'strong' }
  // If others write too, the block may be a page by now, in whose title Markdown is literal text.
  if (!pools.isAlone) return { ...(chooser.once(2) && { markdown: title(chooser) }), ...textFields(chooser) }
  if (chooser.once(12)) return { markdown: text(chooser) }
  if (chooser.once(3)) return { markdown: line(chooser) }
  return { ...(chooser.once(3) && { markdown: sentence(chooser) }), ...textFields(chooser) }
}
