/** What the server refused of the changes of a page: all words of it arrive in parts, or are shown for a choice. */
import type { Title } from '../../../../markdown/inline-title.ts'
import { calls, newName, type RefusedCall } from '../../calls.ts'
import { blockElement, blockId, fieldsOf, previousBlock } from '../blocks/block-element.ts'
import { type Fields, markdownFor, wordsIn } from '../blocks/block-text.ts'
import { type EditedPage, say } from '../blocks/edited-page.ts'
import { mergeTables } from '../blocks/table-change.ts'
import { allWords, type KeptWords, type WordsStore } from './kept-words.ts'
import type { BlockPosition, Step } from './page-step.ts'

/** Where what was refused goes to. */
export interface RefusedTarget {
  readonly page: EditedPage
  readonly store: WordsStore
  /** Keeps steps as one call, behind those that wait. */
  keep(steps: readonly Step[]): Promise<number>
  /** Shows words that could not be written. */
  onConflict: (kept: KeptWords) => void
  /** What goes on in a block that was deleted. @returns whether its words are kept by that */
  onGone: (id: string) => boolean
}

interface WordsChange {
  id?: string
  markdown?: string
  title?: Title
  expectedMarkdown?: string
}

export class RefusedChanges {
  readonly #writer: RefusedTarget
  /** Blocks beside which nothing can stand any more. */
  readonly #gone = new Set<string>()

  constructor(writer: RefusedTarget) {
    this.#writer = writer
  }

  /** Takes apart what was refused as a whole, so that all words of it arrive, or are shown. */
  async look(): Promise<void> {
    await calls.eachRefused(this.#writer.page.documentId, (call) => this.#save(call))
  }

  async #save(call: RefusedCall): Promise<void> {
    // What it is about was refused before, and is made by a later call now.
    if (await calls.isEarly(call)) return calls.keepAgain(call)
    if (call.tool === 'batch') {
      const steps = call.arguments.steps as { tool: string; arguments: Record<string, unknown> }[]
      for (const [index, { tool, arguments: input }] of steps.entries()) {
        const name = Object.entries(call.names ?? {}).find(([, path]) => path === `items.${index}.ids.0`)?.[0]
        if (
          tool === 'blocks_update' &&
          (input.blocks as { markdown?: string }[]).every(({ markdown }) => markdown === undefined)
        )
          continue
        // Nothing is deleted or moved that somebody changed.
        if (tool === 'blocks_delete')
          say(call.error.code === 'CONFLICT' ? 'Others changed what you deleted. It stays.' : call.error.message)
        if (tool !== 'blocks_update' && tool !== 'blocks_add') continue
        await this.#writer.keep([{ tool, arguments: input, ...(name !== undefined && { name }) }])
      }
      return
    }
    if (call.tool === 'blocks_update') {
      await this.#saveWords(call)
      return
    }
    if (call.tool === 'blocks_add' || call.tool === 'files_add') {
      await this.#saveAdded(call)
      return
    }
    for (const name of Object.keys(call.names ?? {})) blockElement(name)?.remove()
    say(call.error.message)
  }

  async #saveWords({ arguments: input, error }: RefusedCall): Promise<void> {
    for (const { id, title, markdown = title?.value, expectedMarkdown } of input.blocks as WordsChange[]) {
      if (id === undefined || markdown === undefined) continue
      if (error.code === 'NOT_FOUND_ERROR' && this.#writer.onGone(id)) continue
      const element = blockElement(id)
      const fields: Fields = element === undefined ? { type: 'text' } : fieldsOf(element)
      const kept: KeptWords = { blockId: id, fields, words: markdown, expected: expectedMarkdown ?? '' }
      if (title !== undefined) kept.attributes = title.attributes
      const before = this.#writer.store.get('conflict', id)
      if (error.code === 'CONFLICT' && before === undefined && (await this.#mergeTable(kept))) continue
      // What was typed on top of what was kept holds it; what was typed later, into what others made of the block, does not.
      if (before?.earlier !== undefined) kept.earlier = before.earlier
      if (before !== undefined && before.words !== expectedMarkdown && before.words !== markdown)
        kept.earlier = allWords(before)
      if (error.code !== 'CONFLICT') kept.reason = error.code === 'NOT_FOUND_ERROR' ? '' : error.message
      this.#writer.store.put('conflict', kept)
      this.#writer.onConflict(kept)
    }
  }

  /** A table in which the sides changed different rows is put together. @returns whether it was */
  async #mergeTable({ blockId: id, fields, words, expected }: KeptWords): Promise<boolean> {
    if (fields.type !== 'table') return false
    const read = calls.read<{ markdown?: string }>({ tool: 'blocks_get', arguments: { id } })
    const theirs = (await read.catch(() => undefined))?.markdown
    if (theirs === undefined) return false
    const [base, mine, now] = [expected, words, theirs].map((markdown) => wordsIn(markdown, fields))
    const merged = mergeTables(base ?? '', mine ?? '', now ?? '')
    if (merged === undefined) return false
    const change = { id, markdown: markdownFor(fields, merged), expectedMarkdown: theirs }
    await this.#writer.keep([{ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }])
    return true
  }

  /** What it was to stand beside may be gone: it stands behind what is before it on the page then. */
  async #saveAdded(call: RefusedCall): Promise<void> {
    const { siblingId } = (call.tool === 'files_add' ? call.arguments : call.arguments.position) as {
      siblingId?: string
    }
    if (call.error.code === 'NOT_FOUND_ERROR' && siblingId !== undefined) {
      this.#gone.add(siblingId)
      const place = this.#placeOf(Object.keys(call.names ?? {})[0])
      const { siblingId: _gone, ...rest } = call.arguments
      const input = call.tool === 'files_add' ? { ...rest, ...place } : { ...call.arguments, position: place }
      await calls.keepAgain({ ...call, arguments: input })
      return
    }
    if (call.tool === 'files_add')
      return say(`${call.arguments.fileName ?? 'The file'} was not added. ${call.error.message}`)
    for (const name of Object.keys(call.names ?? {})) blockElement(name)?.remove()
    const { markdown = '', blocks = [] } = call.arguments as { markdown?: string; blocks?: { markdown: string }[] }
    const words = markdown || blocks.map((block) => block.markdown).join('\n\n')
    const kept: KeptWords = {
      blockId: newName(),
      fields: { type: 'text' },
      words,
      expected: '',
      reason: call.error.message,
    }
    this.#writer.store.put('conflict', kept)
    this.#writer.onConflict(kept)
  }

  /** @param name  of a block that stands on the page */
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
