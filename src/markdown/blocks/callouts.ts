import { invalid } from '../../base/errors.ts'
import { NESTING_PER_CALL } from '../../base/limits.ts'
import { assertTag, type BlockTag, unclosed } from './block-tags.ts'
import { formatPlace } from './format-place.ts'
import type { BlockState, Rule } from './parser-state.ts'
import { getLine, setLine } from './quote.ts'

/**
 * A tag with what it holds, on one line or on several. What follows on its last line is read next.
 *
 *     <page><pageTitle>Trip</pageTitle><content>
 *     text
 *     </content></page>
 *               ^ the rest of the line of </content>
 */
export const blockTag: Rule = (state, start, end, silent) => {
  const first = state.tags.size === 0 ? undefined : state.tags.get(state.at(start))
  if (first === undefined) return false
  if (silent) return true
  const moved = new Map<number, ReturnType<typeof getLine>>()
  const move = (line: number, at: number, eMark = state.eMarks[line] ?? 0) => {
    const before = getLine(state, line)
    if (!moved.has(line)) moved.set(line, before)
    const next = Math.min(state.skipSpaces(at), eMark)
    setLine(state, line, [at, eMark, next - at, before[3], before[4]])
  }
  let line = start
  for (let found: BlockTag | undefined = first; found !== undefined; found = state.tags.get(state.at(line))) {
    const isKept = found.name === 'collection' && found.kind !== 'close' && state.options.keepsCollections
    if (!isKept) assertTag(found, /^(?:page|card)_open$/.test(state.tokens.at(-1)?.type ?? ''))
    const { close } = found
    if (close !== undefined && close.line >= end) throw outside(found)
    if (isKept) keepCollection(state, found)
    else if (close === undefined) state.push('empty_tag', '', 0).meta = { tag: found }
    else {
      readInside(state, found, close, line, move)
    }
    line = close?.line ?? line
    move(line, close?.end ?? found.end, moved.get(line)?.[1])
    if (state.isEmpty(line)) break
  }
  if (!state.isEmpty(line)) state.md.block.tokenize(state, line, line + 1)
  for (const [movedLine, before] of moved) setLine(state, movedLine, before)
  state.line = line + 1
  return true
}

/** A collection of the page that is edited. Nothing in it is read: it is compared with what the collection holds. */
function keepCollection(state: BlockState, found: BlockTag): void {
  const { close, start, end } = found
  if (found.kind === 'open' && close === undefined) throw unclosed(found)
  const token = state.push('collection', '', 0)
  token.meta = { tag: found }
  token.content = state.src.slice(start, close?.end ?? end)
}

function readInside(
  state: BlockState,
  found: BlockTag,
  close: NonNullable<BlockTag['close']>,
  line: number,
  move: (line: number, at: number, eMark?: number) => void,
): void {
  const { name } = found
  const open = state.push(`${name}_open`, '', 1)
  open.meta = { tag: found }
  if (name === 'pageTitle') open.content = state.src.slice(found.end, close.start)
  else if (!(name === 'whiteboard' || name === 'drawing')) {
    if (name !== 'content' && state.tagDepth >= NESTING_PER_CALL) {
      throw invalid(
        `Expected at most ${NESTING_PER_CALL} levels of tags, found more at ${formatPlace(found.line, found.column)}; add the inner pages with a call of their own.`,
      )
    }
    const column = state.column(line)
    move(line, found.end, line === close.line ? close.start : undefined)
    if (close.line !== line) move(close.line, state.bMarks[close.line] ?? 0, close.start)
    const from = state.isEmpty(line) ? line + 1 : line
    if (from <= close.line) {
      const columns = filledColumns(state, from, close.line)
      const place = isPage(name)
        ? {
            kind: 'page' as const,
            from: column === 0 && !hasTag(state, from) ? 0 : (columns[0] ?? 0),
            level: 0,
            free: true,
          }
        : {
            kind: name === 'callout' ? ('callout' as const) : ('box' as const),
            from: columns[0] ?? 0,
            level: state.place.level,
            free: false,
          }
      // A page and its content are one level.
      const isLevel = name !== 'content'
      if (isLevel) state.tagDepth++
      else state.depth--
      state.inside({ ...place, standard: place.from }, Math.min(place.from, ...bounds(columns)), from, close.line + 1)
      if (isLevel) state.tagDepth--
      else state.depth++
    }
  }
  state.push(`${name}_close`, '', -1).meta = { tag: found }
}

const isPage = (name: BlockTag['name']): boolean => name === 'page' || name === 'card' || name === 'content'

// <page>
//   <pageTitle>    People let the tags inside stand further in: that is no level.
//   ^
const hasTag = (state: BlockState, line: number): boolean => {
  const name = state.tags.get(state.at(state.skipEmptyLines(line)))?.name
  return name === 'pageTitle' || name === 'content'
}

/** The columns of the first and of the leftmost line with text. */
function filledColumns(state: BlockState, from: number, to: number): number[] {
  let first: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (let line = from; line <= to; line++) {
    if (state.isEmpty(line)) continue
    const column = state.column(line)
    first ??= column
    if (column < least) least = column
  }
  return first === undefined ? [] : [first, least]
}

const bounds = (columns: readonly number[]): readonly number[] => (columns.length === 0 ? [0] : columns)

/** A tag that is closed only where its quote or item has ended already. */
const outside = (found: BlockTag) =>
  invalid(
    `Expected </${found.name}> in the same quote or list item as the <${found.name}> at ${formatPlace(found.line, found.column)}, found it after their end; close it before.`,
  )
