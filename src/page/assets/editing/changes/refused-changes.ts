/**
 * Handles changes of a page that the server refused: splits them so that as much text as possible is saved, and shows
 * the rest as conflicts.
 */
import type { Title } from '../../../../markdown/inline-title.ts'
import { calls, newName, type RefusedCall } from '../../calls.ts'
import { editableText, type Fields, fieldsIn, markdownFor } from '../../model/block-text.ts'
import { type BlockPosition, plainStyle, type Step } from '../../model/page-step.ts'
import { mergeTables } from '../../model/table-change.ts'
import { fullText, type UnsavedText, type UnsavedTextStore } from '../../sync/unsaved-text.ts'
import { blockElement, blockId, fieldsOf, previousBlock } from '../blocks/block-element.ts'
import { announce, type EditedPage } from '../blocks/edited-page.ts'

/** The target of refused changes. */
export interface RefusedTarget {
  readonly page: EditedPage
  readonly store: UnsavedTextStore
  /** Queues steps as one call. @param typedIn  the tab in which their text was typed */
  keep(steps: readonly Step[], typedIn?: string): Promise<number>
  /** Shows text of a block that could not be saved. */
  onConflict: (id: string) => void
  /** Called for a deleted block. @returns true if further typing keeps its text */
  onGone: (id: string) => boolean
}

interface WordsChange {
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
      for (const [index, { tool, arguments: input }] of steps.entries()) {
        const name = Object.entries(call.names ?? {}).find(([, path]) => path === `items.${index}.ids.0`)?.[0]
        if (
          tool === 'blocks_update' &&
          (input.blocks as { markdown?: string }[]).every(({ markdown }) => markdown === undefined)
        )
          continue
        // Blocks that others have changed are not deleted or moved.
        if (tool === 'blocks_delete')
          announce(call.error.code === 'CONFLICT' ? 'Others changed what you deleted. It stays.' : call.error.message)
        if (tool !== 'blocks_update' && tool !== 'blocks_add') continue
        await this.#writer.keep([{ tool, arguments: input, ...(name !== undefined && { name }) }], call.tab)
      }
      return
    }
    if (call.tool === 'blocks_update') {
      await this.#saveText(call)
      return
    }
    if (call.tool === 'blocks_add' || call.tool === 'files_add') {
      await this.#saveAdded(call)
      return
    }
    for (const name of Object.keys(call.names ?? {})) blockElement(name)?.remove()
    announce(call.error.message)
  }

  async #saveText({ arguments: input, error, tab }: RefusedCall): Promise<void> {
    for (const change of input.blocks as WordsChange[]) {
      const { id, title, markdown = title?.value, base = change.expectedMarkdown } = change
      if (id === undefined || markdown === undefined) continue
      if (error.code === 'NOT_FOUND_ERROR' && this.#writer.onGone(id)) continue
      const element = blockElement(id)
      const fields: Fields = element === undefined ? fieldsIn(markdown) : fieldsOf(element)
      const kept: UnsavedText = { blockId: id, fields, words: markdown, expected: base ?? '' }
      if (title !== undefined) kept.attributes = title.attributes
      const before = this.#writer.store.get('conflict', id, tab)
      if (error.code === 'CONFLICT' && before === undefined && (await this.#resolveConflict(kept, tab))) continue
      // Text typed on top of the stored text contains it. Text typed later, into the other side's version, does not.
      if (before?.earlier !== undefined) kept.earlier = before.earlier
      if (before !== undefined && before.words !== base && before.words !== markdown) kept.earlier = fullText(before)
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
    const { blockId: id, fields, words, attributes } = kept
    if (attributes !== undefined) return false
    const read = calls.read<{ markdown?: string }>({ tool: 'blocks_get', arguments: { id } })
    const theirs = (await read.catch(() => undefined))?.markdown
    if (theirs === undefined) return false
    return theirs === words || (fields.type === 'table' && this.#mergeTable(kept, theirs, tab))
  }

  /** Merges a table in which the two sides changed different rows. @returns true if it was merged */
  async #mergeTable(
    { blockId: id, fields, words, expected }: UnsavedText,
    theirs: string,
    tab: string | undefined,
  ): Promise<boolean> {
    const [base, mine, now] = [expected, words, theirs].map((markdown) => editableText(markdown, fields))
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
    if (call.tool === 'files_add')
      return announce(`${call.arguments.fileName ?? 'The file'} was not added. ${call.error.message}`)
    for (const name of Object.keys(call.names ?? {})) blockElement(name)?.remove()
    const { markdown = '', blocks = [] } = call.arguments as { markdown?: string; blocks?: { markdown: string }[] }
    const words = markdown || blocks.map((block) => block.markdown).join('\n\n')
    const kept: UnsavedText = {
      blockId: newName(),
      fields: { type: 'text' },
      words,
      expected: '',
      reason: call.error.message,
    }
    this.#writer.store.put('conflict', kept, call.tab)
    this.#writer.onConflict(kept.blockId)
  }

  /** @param name  the placeholder of a block on the page */
  #placeOf(name = ''): BlockPosition {
    const { pageId } = this.#writer.page
    const element = blockElement(name)
    if (element === undefined) return { position: 'end', pageId }
    let before = previousBlock(element)
    while (before !== undefined && this.#gone.has(blockId(before))) before = previousBlock(before)
    if (before === undefined) return { position: 'start', pageId }
    return { position: 'after', siblingId: blockId(before) }
  }
}
