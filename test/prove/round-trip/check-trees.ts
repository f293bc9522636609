/** Checks that trees of blocks survive the conversion to Markdown and back, and counts what was in the trees. */
import { isDeepStrictEqual } from 'node:util'
import type { Block } from '../../../src/markdown/block.ts'
import { writeMarkdown } from '../../../src/markdown/write-markdown.ts'
import { blocksOf } from '../../markdown/blocks-of.ts'

/** Converts the blocks to Markdown and back. Returns a description of the fault with the blocks, if there is one. */
export function faultOf(blocks: Block[]): string | undefined {
  const text = writeMarkdown(blocks)
  let read: Block[]
  try {
    read = blocksOf(text)
  } catch (error) {
    return `Expected ${shown(text)} to be read, found it refused: ${String(error)}; the blocks are ${shown(blocks)}.`
  }
  if (!isDeepStrictEqual(read, blocks)) return `Expected ${shown(text)} to be ${shown(blocks)}, found ${shown(read)}.`
  const again = writeMarkdown(read)
  return again === text ? undefined : `Expected ${shown(text)} to be written again, found ${shown(again)}.`
}

/** Formats a value as JSON in which every character is visible. */
export const shown = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing').replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Counts what the trees contained. */
export class Tally {
  trees = 0
  #blocks = 0
  #deepest = 0
  readonly #forms = new Set<string>()
  readonly #letters = new Set<number>()
  readonly #within = new Map<string, number>(Object.keys(WITHIN).map((name) => [name, 0]))

  add(blocks: readonly Block[]): void {
    this.trees++
    this.#level(blocks, 1)
  }

  #level(blocks: readonly Block[], depth: number): void {
    if (blocks.length > 0) this.#deepest = Math.max(this.#deepest, depth)
    for (const block of blocks) {
      this.#blocks++
      const { type, textStyle, listStyle, taskInfo, indentationLevel, decorations, text, content } = block
      this.#forms.add(
        [type, textStyle, taskInfo?.state ?? listStyle, indentationLevel, ...Object.keys(decorations ?? {})].join(' '),
      )
      for (const letter of text) this.#letters.add(letter.codePointAt(0) ?? 0)
      if (type !== 'code') {
        for (const [name, sign] of Object.entries(WITHIN)) {
          if (text.includes(sign)) this.#within.set(name, (this.#within.get(name) ?? 0) + 1)
        }
      }
      if (content !== undefined) this.#level(content, depth + 1)
    }
  }

  figures(): Record<string, number> {
    return {
      blocks: this.#blocks,
      'forms of blocks': this.#forms.size,
      'different letters': this.#letters.size,
      'levels of pages': this.#deepest,
      ...Object.fromEntries(this.#within),
    }
  }
}

const WITHIN = { highlights: '<highlight', comments: '<comment', links: '](', 'code in words': '`' }
