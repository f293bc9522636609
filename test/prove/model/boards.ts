/** The model of whiteboards_add, the tools for elements, and files_add. */
import { isDeepStrictEqual } from 'node:util'
import { Id } from './ids.ts'
import { draft } from './texts.ts'
import { checkPosition, findTarget, insert, type Position } from './tree.ts'
import { type Block, type Board, invalid, type Json, missing, type World } from './world.ts'

export function addWhiteboard(world: World, { position }: { position: Position }): object {
  checkPosition(position)
  const target = findTarget(world, position)
  const [block] = insert(world, [draft('whiteboard', '')], target)
  return { whiteboardBlockId: block?.id, ...target.landed }
}

interface OnBoard {
  whiteboardBlockId: string
  elements: Json[]
  assets?: Json
  appState?: Json
  answer?: string
}

export function addElements(world: World, { whiteboardBlockId, elements, assets, appState, answer }: OnBoard): object {
  if (elements.some(({ id, type }) => !isWord(id) || !isWord(type)) || areTwice(elements)) throw invalid()
  const [block, board] = find(world, whiteboardBlockId)
  if (board.elements.some(({ id }) => elements.some((one) => one.id === id))) throw invalid()
  world.journal.insert(board.elements, board.elements.length, ...elements)
  for (const [id, asset] of Object.entries(assets ?? {})) world.journal.put(board.assets, id, asset)
  if (appState !== undefined) world.journal.set(board, 'state', { ...board.state, ...appState })
  world.touch(block)
  return answer === 'changed' ? { elements } : showBoard(board)
}

export function updateElements(world: World, { whiteboardBlockId, elements, answer }: OnBoard): object {
  if (elements.length === 0 || elements.some(({ id }) => !isWord(id)) || areTwice(elements)) throw invalid()
  if (elements.some(({ type }) => type !== undefined && !isWord(type))) throw invalid()
  const [block, board] = find(world, whiteboardBlockId)
  const changed = elements.map((given): Json => {
    const before = board.elements.find(({ id }) => id === given.id)
    if (before === undefined) throw missing()
    const changed = { ...before, ...given }
    if (isDeepStrictEqual(changed, before)) return before
    return changed.version === before.version ? { ...changed, version: Number(before.version ?? 1) + 1 } : changed
  })
  const all = board.elements.map((one) => changed.find(({ id }) => id === one.id) ?? one)
  world.journal.set(board, 'elements', all)
  world.touch(block)
  return answer === 'changed' ? { elements: changed } : showBoard(board)
}

interface Deleting {
  whiteboardBlockId: string
  elementIds: string[]
}

export function deleteElements(world: World, { whiteboardBlockId, elementIds }: Deleting): object {
  if (elementIds.length === 0) throw invalid()
  const [block, board] = find(world, whiteboardBlockId)
  const gone = board.elements.filter(({ id }) => elementIds.includes(String(id)))
  const left = board.elements.filter((one) => !gone.includes(one))
  world.journal.set(board, 'elements', left)
  for (const { fileId } of gone) {
    if (fileId !== undefined && !left.some((one) => one.fileId === fileId))
      world.journal.drop(board.assets, String(fileId))
  }
  world.touch(block)
  return { deletedCount: gone.length, remainingCount: left.length }
}

const isWord = (value: unknown): boolean => typeof value === 'string' && value !== ''

const areTwice = (elements: readonly Json[]): boolean => new Set(elements.map(({ id }) => id)).size < elements.length

function find(world: World, id: string): [Block, Board] {
  const block = world.block(id)
  if (block.board === undefined) throw invalid()
  return [block, block.board]
}

/** The response of elements_list. */
export const showBoard = ({ elements, assets, state }: Board): Json => ({
  elements: [...elements],
  assets: assets.size > 0 ? Object.fromEntries(assets) : undefined,
  appState: state,
})

interface File {
  position: Position
  text: string
  fileName: string
}

export function addFile(world: World, { position, text, fileName }: File): object {
  checkPosition(position)
  if (fileName === '' || fileName.includes('/')) throw invalid()
  const target = findTarget(world, position)
  const url = new Id()
  const fileSize = Buffer.byteLength(text)
  const fields = { url, fileName, uploaded: true, mimeType: 'text/plain', fileSize }
  const [block] = insert(world, [draft('file', '', fields)], target)
  return { blockId: block?.id, assetUrl: url, ...target.landed }
}
