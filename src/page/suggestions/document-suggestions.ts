/**
 * The suggestions of a document, by the places where they are drawn: for those who may decide on them, and for those
 * who made them. For everybody else there are none.
 */

import { addToGroup } from '../../base/grouping.ts'
import type { InlineNode } from '../../markdown/inline/inline-node.ts'
import type { BlockSuggestions } from '../blocks/block-context.ts'
import type { SuggestedRun } from '../blocks/suggested-words.ts'
import type { RowSuggestions, SuggestedRowEntry } from '../collections/collection-entries.ts'
import { type Html, html, joinHtml, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { shownText } from '../shown-text.ts'
import { type DrawnSuggestion, destinationOf, drawn, TONES, textOf } from './drawn-suggestion.ts'
import { namedPlace, otherPlace } from './other-places.ts'
import { blockWith, proposedBlocks } from './proposed-blocks.ts'
import type { ProposedPart } from './proposed-part.ts'
import { besideRowHtml, type ProposedRow } from './proposed-row.ts'
import { proposedSpans } from './proposed-words.ts'
import { runsHtml } from './suggested-text.ts'
import { authorsHtml, styleHtml, suggestionHtml } from './suggestion-html.ts'

/** Suggestions that a page draws. The others are read on the page of what waits. */
const DRAWN = 100

/** The key of the start of the page among places, which are IDs of blocks otherwise. */
const START = 'start'
const PAGE = 'page'

export class DocumentSuggestions implements BlockSuggestions, RowSuggestions {
  readonly all: readonly DrawnSuggestion[]
  /** The number of all, also of those that are not drawn. */
  readonly count: number
  readonly #call: PageCall
  readonly #back: string
  readonly #places = new Map<string, DrawnSuggestion[]>()
  /** Places that were asked for. */
  readonly #shown = new Set<string>()

  /**
   * @param pageId  the page whose blocks are shown
   * @param back  where forms lead back to
   * @param places  the titles of other pages to which something would be moved or added, by ID
   */
  constructor(
    call: PageCall,
    parts: readonly ProposedPart[],
    {
      pageId,
      back,
      rows,
      places,
    }: {
      pageId: string
      back: string
      rows?: ReadonlyMap<ProposedPart, ProposedRow>
      places?: ReadonlyMap<string, string>
    },
  ) {
    this.#call = call
    this.#back = back
    this.count = parts.length
    const tones = tonesOf(parts)
    const some = parts.slice(0, DRAWN)
    this.all = withAnchors(some).map((part, index) => {
      const other = otherPlace(part, pageId)
      const place = other && namedPlace(places?.get(other))
      return drawn(part, tones.get(authorOf(part)) ?? 1, pageId, { row: rows?.get(some[index] ?? part), place })
    })
    for (const one of this.all) {
      this.#add(one)
      const destination = destinationOf(one, pageId)
      if (destination !== undefined) this.#add(destination)
    }
  }

  #add(one: DrawnSuggestion): void {
    const place = placeOf(one)
    addToGroup(this.#places, place, one)
  }

  #at(place: string): readonly DrawnSuggestion[] {
    return this.#places.get(place) ?? []
  }

  runs(id: string, text: string): readonly SuggestedRun[] | undefined {
    return this.#inText(id, text)?.words?.runs
  }

  wordsHtml(runs: readonly SuggestedRun[], present: (spans: readonly InlineNode[]) => Html): Html {
    return runsHtml(runs, present)
  }

  /** The first suggestion for a text that was made for this text. */
  #inText(id: string, text: string): DrawnSuggestion | undefined {
    return this.#at(id).find(({ words }) => words !== undefined && words.text === text)
  }

  /** The blocks with suggestions. */
  get blocks(): string[] {
    return [...this.#places.keys()].filter((place) => place !== START && place !== PAGE)
  }

  /** The first suggestion for the words of a block. */
  firstWords(id: string): DrawnSuggestion | undefined {
    return this.#at(id).find(({ words }) => words !== undefined)
  }

  look(id: string): string {
    const first = this.#at(id).find(({ words, look }) => words !== undefined || look !== undefined)
    if (first === undefined) return ''
    return ` suggested by-${first.tone}${first.look === undefined ? '' : ` is-${first.look}`}`
  }

  below(id: string, text: string | undefined): Html {
    this.#shown.add(id)
    const inText = text === undefined ? undefined : this.#inText(id, text)
    return joinHtml(this.#at(id).map((one) => this.html(one, one !== inText)))
  }

  valueHtml(itemId: string, key: string, present: Html): Html {
    const one = this.#at(itemId).find(({ part }) => part.kind === 'value' && part.property === key)
    if (one === undefined || one.part.conflict !== undefined) return present
    const { part, tone } = one
    const now = textOf(part.after)
    return html`<del class="old by-${tone}">${present}</del>${now !== '' && html` <ins class="new by-${tone}">${shownText(now)}</ins>`}`
  }

  rowsAfter(itemId: string, keys: ReadonlySet<string>): SuggestedRowEntry[] {
    return this.#at(itemId).flatMap((one) => {
      const { row, tone } = one
      if (row === undefined) return []
      const { content: _, ...bare } = one
      const beside = besideRowHtml(row, keys)
      const below = this.html(beside === undefined ? bare : { ...bare, content: beside }, false)
      const cells = new Map(row.cells.map(({ property, value }) => [property.key, value]))
      return [{ title: shownText(row.title), cells, tone, below }]
    })
  }

  belowRow(itemId: string, keys: ReadonlySet<string>): Html {
    this.#shown.add(itemId)
    const besides = this.#at(itemId).filter(({ row }) => row === undefined)
    return joinHtml(
      besides.map((one) => {
        const { kind, property, conflict } = one.part
        const isDrawn = kind === 'value' && keys.has(property ?? '') && conflict === undefined
        if (!isDrawn) return this.html(one, true)
        const { content: _, ...bare } = one
        return this.html(bare, false)
      }),
    )
  }

  /** @param isApart  true if its words are drawn here, and not in the text of the block */
  html(one: DrawnSuggestion, isApart: boolean): Html {
    const content = isApart && one.words !== undefined ? wordsApart(one.words) : one.content
    const shown = content === undefined ? one : { ...one, content }
    return suggestionHtml(this.#call, shown, { back: this.#back, isOffered: this.#isOffered(one) })
  }

  /** True if all that accepting it takes along is shown as well. */
  #isOffered({ part: { proposalId, needs = [] } }: DrawnSuggestion): boolean {
    return needs.every((need) =>
      this.all.some(({ part, isWhole }) => isWhole && part.proposalId === proposalId && part.part === need),
    )
  }

  /** What concerns the whole page, and buttons for all that an author suggests. */
  above(): Html {
    if (this.all.length === 0) return NOTHING
    const all = this.all.map((one) => ({ one, isOffered: this.#isOffered(one) }))
    return html`${styleHtml(this.#call)}<section class="suggestions" id="suggestions" aria-label="Suggestions">${authorsHtml(this.#call, all, { back: this.#back, others: this.count - this.all.length })}${this.#at(PAGE).map((one) => this.html(one, true))}</section>
`
  }

  start(): Html {
    return joinHtml(this.#at(START).map((one) => this.html(one, true)))
  }

  /** Those whose place is not on the page, such as those on pages within the document. */
  rest(): Html {
    const left = [...this.#places].filter(([place]) => place !== START && place !== PAGE && !this.#shown.has(place))
    const all = left.flatMap(([, some]) => some).filter(({ isGhost }) => !isGhost)
    if (all.length === 0) return NOTHING
    return html`<section class="suggestions elsewhere"><h2>Suggested elsewhere in this document</h2>${all.map((one) => this.html(withText(one), true))}</section>
`
  }
}

const placeOf = ({ at }: DrawnSuggestion): string =>
  typeof at === 'string' ? (at === 'start' ? START : PAGE) : 'in' in at ? at.in : at.after

const wordsApart = ({ block, runs }: NonNullable<DrawnSuggestion['words']>): Html =>
  blockWith(block, runsHtml(runs, proposedSpans))

/** Away from its block, a suggestion shows the text of the block. */
function withText(one: DrawnSuggestion): DrawnSuggestion {
  const { before } = one.part
  const isBare = one.content === undefined && one.words === undefined && typeof before === 'string'
  return isBare ? { ...one, content: proposedBlocks(before) } : one
}

const authorOf = ({ author, client = '' }: Pick<ProposedPart, 'author' | 'client'>): string => `${author}\n${client}`

/** The same author has the same color everywhere, unless another one of the page has it. */
function tonesOf(parts: readonly ProposedPart[]): Map<string, number> {
  const tones = new Map<string, number>()
  for (const author of new Set(parts.map(authorOf))) {
    const taken = new Set(tones.values())
    let tone = hashOf(author) % TONES
    while (taken.size < TONES && taken.has(tone + 1)) tone = (tone + 1) % TONES
    tones.set(author, tone + 1)
  }
  return tones
}

/** The number of an author's color, where no other one has it. */
export const toneOf = (author: Pick<ProposedPart, 'author' | 'client'>): number =>
  (hashOf(authorOf(author)) % TONES) + 1

const hashOf = (text: string): number =>
  [...text].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7)

/** What is added after a block that is added itself stands below that one. */
function withAnchors(parts: readonly ProposedPart[]): ProposedPart[] {
  const anchors = new Map<string, string>()
  return parts.map((part) => {
    const { place, kind, blockId } = part
    const afterId = place?.afterId === undefined ? undefined : (anchors.get(place.afterId) ?? place.afterId)
    if (place === undefined || afterId === undefined) return part
    if (kind === 'added' && blockId !== undefined) anchors.set(blockId, afterId)
    return { ...part, place: { ...place, afterId } }
  })
}
