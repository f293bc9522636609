/**
 * Handles changes of a page that the server refused: splits them so that as much text as possible is saved, and shows
 * the rest as conflicts.
 */
import { plainTitle, type Title } from '../../../markdown/inline-title.ts'
import { calls, newName } from '../calls.ts'
import { editableText, type Fields, fieldsIn, markdownFor } from '../model/block-text.ts'
import { type BlockPosition, plainStyle, type Step } from '../model/page-step.ts'
import { mergeTables } from '../model/table-change.ts'
import { text } from '../page-text.ts'
import type { RefusedCall } from '../unsent/queued-call.ts'
import {
  type ChangedBlocks,
  type JoinedBlocks,
  joinAgain,
  joinIn,
  mergeJoined,
  type ReadBlock,
} from './joined-blocks.ts'
import { fullText, type UnsavedText, type UnsavedTextStore } from './unsaved-text.ts'

/** The page whose changes were refused. */
export interface RefusedTarget {
  readonly page: { documentId: string; pageId: string }
  readonly store: UnsavedTextStore
  /** Queues steps as one call. @param typedIn  the tab in which their text was typed */
  keep(steps: readonly Step[], typedIn?: string): Promise<number>
  /** Shows text of a block that could not be saved. */
  onConflict: (id: string) => void
  /** Called for a deleted block. @returns true if further typing keeps its text */
  onGone: (id: string) => boolean
  /** The fields of a block on the page; undefined if it is not there. */
  fieldsOf(id: string): Fields | undefined
  /** The ID of the block before one; `start` if there is none, undefined if the block is not on the page. */
  blockBefore(id: string): string | 'start' | undefined
  /** Removes a block that was not added. @param name  its placeholder */
  removeBlock(name: string): void
  /** Tells the person something. */
  announce(text: string): void
}

interface TextChange {
  id?: string
  markdown?: string
  title?: Title
  base?: string
  expectedMarkdown?: string
}

export class RefusedChanges {
  readonly #writer: RefusedTarget
  /** Deleted blocks, next to which nothing can be inserted any more. */
  readonly #gone = new Set<string>()
  /** Blocks that were joined again, by the IDs of those that stayed, with the Markdown that they then got. */
  readonly #joined = new Map<string, ChangedBlocks & { join: JoinedBlocks; markdown: string }>()

  constructor(writer: RefusedTarget) {
    this.#writer = writer
  }

  /** Splits each refused call, so that all of its text is either saved or shown as a conflict. */
  async saveAll(): Promise<void> {
    await calls.eachRefused(this.#writer.page.documentId, (call) => this.#save(call))
  }

  async #save(call: RefusedCall): Promise<void> {
    // The call depends on an earlier one that was refused and has been queued again.
    if (await calls.dependsOnPending(call)) return calls.requeue(call)
    if (call.tool === 'batch') {
      const steps = call.arguments.steps as { tool: string; arguments: Record<string, unknown> }[]
      if (call.error.code === 'CONFLICT' && (await this.#saveJoined(steps, call.tab))) return
      for (const [index, { tool, arguments: input }] of steps.entries()) {
        const added = namesAt(call, `items.${index}.ids.`)
        if (
          tool === 'blocks_update' &&
          (input.blocks as { markdown?: string }[]).every(({ markdown }) => markdown === undefined)
        )
          continue
        // Blocks that others have changed are not deleted or moved.
        if (tool === 'blocks_delete')
          this.#writer.announce(
            call.error.code === 'CONFLICT' ? text('Others changed what you deleted. It stays.') : call.error.message,
          )
        if (tool !== 'blocks_update' && tool !== 'blocks_add') continue
        await this.#writer.keep([{ tool, arguments: input, added }], call.tab)
      }
      return
    }
    if (call.tool === 'blocks_update') {
      const blocks = call.arguments.blocks as TextChange[]
      if (blocks.length === 1) await this.#saveText(call)
      // One of them was refused, and with it all.
      else
        for (const one of blocks)
          await this.#writer.keep([{ tool: call.tool, arguments: { ...call.arguments, blocks: [one] } }], call.tab)
      return
    }
    if (call.tool === 'blocks_add' || call.tool === 'files_add') {
      await this.#saveAdded(call)
      return
    }
    this.#removeAdded(call)
    this.#writer.announce(call.error.message)
  }

  /** Joins blocks again of which others have changed one meanwhile. @returns true if that is what the steps did */
  async #saveJoined(steps: readonly Step[], tab: string | undefined): Promise<boolean> {
    const join = joinIn(steps)
    if (join === undefined) return false
    const fields = this.#writer.fieldsOf(join.kept.id)
    if (fields === undefined) return false
    const ids = [join.kept, ...join.deleted].map(({ id }) => id)
    const reads = ids.map((id) => calls.read<ReadBlock>({ tool: 'blocks_get', arguments: { id } }))
    const now = await Promise.all(reads).catch(() => undefined)
    if (now === undefined) return false
    const markdown = mergeJoined(join, { fields, now })
    if (markdown === undefined) return false
    this.#joined.set(join.kept.id, { join, fields, now, markdown })
    await this.#writer.keep(joinAgain(join, { fields, now }, markdown), tab)
    return true
  }

  /** What was typed into joined blocks before they were joined again. @returns true if the text was that */
  async #saveAfterJoin(change: TextChange & { id: string }, tab: string | undefined): Promise<boolean> {
    const { id, markdown = '', base } = change
    const before = this.#joined.get(id)
    if (before === undefined || before.join.kept.markdown !== base) return false
    const join = { ...before.join, kept: { ...before.join.kept, markdown } }
    const merged = mergeJoined(join, before)
    if (merged === undefined) return false
    this.#joined.set(id, { ...before, join, markdown: merged })
    const blocks = [{ ...change, markdown: merged, base: before.markdown }]
    await this.#writer.keep([{ tool: 'blocks_update', arguments: { blocks, answer: 'full' } }], tab)
    return true
  }

  async #saveText({ arguments: input, error, tab }: RefusedCall): Promise<void> {
    for (const change of input.blocks as TextChange[]) {
      const { id, title, markdown = title?.value, base = change.expectedMarkdown } = change
      if (id === undefined || markdown === undefined) continue
      if (error.code === 'NOT_FOUND_ERROR' && this.#writer.onGone(id)) continue
      if (error.code === 'CONFLICT' && (await this.#saveAfterJoin({ ...change, id }, tab))) continue
      const fields = this.#writer.fieldsOf(id) ?? fieldsIn(markdown)
      const kept: UnsavedText = { blockId: id, fields, text: markdown, expected: base ?? '' }
      if (title !== undefined) kept.attributes = title.attributes
      const before = this.#writer.store.get('conflict', id, tab)
      if (error.code === 'CONFLICT' && before === undefined && (await this.#resolveConflict(kept, tab))) continue
      // Text typed on top of the stored text contains it. Text typed later, into the other side's version, does not.
      if (before?.earlier !== undefined) kept.earlier = before.earlier
      const from = title === undefined ? base : plainTitle(base ?? '')
      if (before !== undefined && before.text !== from && before.text !== markdown) kept.earlier = fullText(before)
      if (error.code !== 'CONFLICT') kept.reason = error.code === 'NOT_FOUND_ERROR' ? '' : error.message
      this.#writer.store.put('conflict', kept, tab)
      this.#writer.onConflict(id)
    }
  }

  /**
   * Resolves a conflict that needs no decision: both sides wrote the same text, or changed different rows of a table.
   *
   * @returns true if it is resolved
   */
  async #resolveConflict(kept: UnsavedText, tab: string | undefined): Promise<boolean> {
    const { blockId: id, fields, text, attributes } = kept
    if (attributes !== undefined) return false
    const read = calls.read<{ markdown?: string }>({ tool: 'blocks_get', arguments: { id } })
    const theirs = (await read.catch(() => undefined))?.markdown
    if (theirs === undefined) return false
    return theirs === text || (fields.type === 'table' && this.#mergeTable(kept, theirs, tab))
  }

  /** Merges a table in which the two sides changed different rows. @returns true if it was merged */
  async #mergeTable(
    { blockId: id, fields, text, expected }: UnsavedText,
    theirs: string,
    tab: string | undefined,
  ): Promise<boolean> {
    const [base, mine, now] = [expected, text, theirs].map((markdown) => editableText(markdown, fields))
    const merged = mergeTables(base ?? '', mine ?? '', now ?? '')
    if (merged === undefined) return false
    const change = { id, markdown: markdownFor(fields, merged), expectedMarkdown: theirs, ...plainStyle(fields) }
    await this.#writer.keep([{ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }], tab)
    return true
  }

  /** If the neighbor of an added block was deleted, the block is added after the preceding block on the page. */
  async #saveAdded(call: RefusedCall): Promise<void> {
    const { siblingId } = (call.tool === 'files_add' ? call.arguments : call.arguments.position) as {
      siblingId?: string
    }
    if (call.error.code === 'NOT_FOUND_ERROR' && siblingId !== undefined) {
      this.#gone.add(siblingId)
      const place = this.#placeOf(Object.keys(call.names ?? {})[0])
      const { siblingId: _gone, ...rest } = call.arguments
      const input = call.tool === 'files_add' ? { ...rest, ...place } : { ...call.arguments, position: place }
      await calls.requeue({ ...call, arguments: input })
      return
    }
    if (call.tool === 'files_add') {
      const name = String(call.arguments.fileName ?? text('The file'))
      this.#writer.announce(text('{name} was not added. {reason}', { name, reason: call.error.message }))
      return
    }
    this.#removeAdded(call)
    const { markdown = '', blocks = [] } = call.arguments as { markdown?: string; blocks?: { markdown: string }[] }
    const typed = markdown || blocks.map((block) => block.markdown).join('\n\n')
    const kept: UnsavedText = {
      blockId: newName(),
      fields: { type: 'text' },
      text: typed,
      expected: '',
      reason: call.error.message,
    }
    this.#writer.store.put('conflict', kept, call.tab)
    this.#writer.onConflict(kept.blockId)
  }

  #removeAdded({ names = {} }: RefusedCall): void {
    for (const name of Object.keys(names)) this.#writer.removeBlock(name)
  }

  /** Where to add a block whose neighbor is gone. @param name  its placeholder */
  #placeOf(name = ''): BlockPosition {
    const { pageId } = this.#writer.page
    let before = this.#writer.blockBefore(name)
    if (before === undefined) return { position: 'end', pageId }
    while (before !== undefined && this.#gone.has(before)) before = this.#writer.blockBefore(before)
    return before === undefined || before === 'start'
      ? { position: 'start', pageId }
      : { position: 'after', siblingId: before }
  }
}

/** The placeholders whose IDs stand at a place of the answer, in order. */
const namesAt = ({ names = {} }: RefusedCall, place: string): string[] =>
  Object.entries(names)
    .filter(([, path]) => path.startsWith(place))
    .sort(([, one], [, other]) => Number(one.slice(place.length)) - Number(other.slice(place.length)))
    .map(([name]) => name)
