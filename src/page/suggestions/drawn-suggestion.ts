/** A suggestion as it is drawn: where, in which color, and what of it is shown. */
import { unescapePlainText } from '../../markdown/blocks/collection-tags.ts'
import { callerName } from '../calls/call-text.ts'
import { type Html, html } from '../html.ts'
import { shownText } from '../shown-text.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { askedSentences, changesComments, commentedBlock } from './detail-words.ts'
import { proposedBlocks } from './proposed-blocks.ts'
import type { ProposedPart } from './proposed-part.ts'
import { type ProposedRow, proposedRowHtml } from './proposed-row.ts'
import { suggestedBlocks } from './suggested-blocks.ts'
import { changeOf, plainWords, quoted, type SuggestedChange, wordsLabel } from './suggested-change.ts'

export interface DrawnSuggestion {
  part: ProposedPart
  /** Identifies it among all that are drawn. */
  key: string
  /** Who suggests it, and the number of their color. */
  name: string
  tone: number
  /** The block in which, or after which it is drawn; `start` for the start of the page, and `page` above the text. */
  at: { in: string } | { after: string } | 'start' | 'page'
  /** The words that change in the text of the block, if it has this text. */
  words?: Extract<SuggestedChange, { kind: 'words' }>
  /** How the block looks that it removes or moves away. */
  look?: 'removed' | 'moved' | 'replaced' | undefined
  /** What is drawn in its place: a block with its changes, or one that is new there. */
  content?: Html
  /** The row that it adds. */
  row?: ProposedRow
  /** What it does, as people read it, and as screen readers hear it after the name. */
  does: Html
  label: string
  /** True for the place to which a block would be moved, which has no buttons. */
  isGhost?: true
  /** False if some of it is not shown, so that it cannot be accepted where it is drawn. */
  isWhole: boolean
}

/** Colors of authors. */
export const TONES = 6
/** Characters of a part, before and after, up to which it is drawn. */
const DRAWN_LENGTH = 6_000

interface Drawing {
  /** The row that it adds. */
  row?: ProposedRow | undefined
  /** Another page to which it moves or adds something, as sentences name it. */
  place?: string | undefined
}

/** @param tone  of its author @param pageId  the page whose blocks are shown */
export function drawn(part: ProposedPart, tone: number, pageId: string, { row, place }: Drawing = {}): DrawnSuggestion {
  const { before, after, conflict, blockId, asked } = part
  const [old, now] = [textOf(before), textOf(after)]
  const { details = '' } = part
  const length = old.length + now.length + details.length + (asked?.length ?? 0) + JSON.stringify(conflict ?? '').length
  const isLong = length > DRAWN_LENGTH
  const common = {
    ...{ part, key: `${part.proposalId} ${part.part}`, name: callerName(part), tone },
    isWhole: !isLong && asked === undefined,
  }
  const inBlock = blockId === undefined || blockId === pageId ? 'page' : ({ in: blockId } as const)
  if (isLong) return { ...common, at: inBlock, does: html`${LONG[part.kind]}`, label: `${LONG[part.kind]}` }
  if (conflict !== undefined) return { ...common, at: inBlock, ...conflictOf(conflict) }
  switch (part.kind) {
    case 'changed':
      return { ...common, at: inBlock, ...changedOf(old, now) }
    case 'removed':
      return {
        ...common,
        at: inBlock,
        look: 'removed',
        does: html`removes this`,
        label: text('remove {quoted}', { quoted: quoted(nameOf(old)) }),
      }
    case 'moved':
      return {
        ...common,
        at: inBlock,
        look: 'moved',
        ...movedTo(quoted(plainWords(now || old)), place),
      }
    case 'added':
      if (row !== undefined)
        return {
          ...{ ...common, row, at: placeOf(part, pageId), content: proposedRowHtml(row) },
          ...{ does: html`adds this row`, label: text('add row {quoted}', { quoted: quoted(row.title) }) },
        }
      return {
        ...common,
        at: placeOf(part, pageId),
        content: html`<ins class="new change">${proposedBlocks(now)}</ins>`,
        ...addedTo(quoted(plainWords(now)), place),
      }
    case 'value':
      return {
        ...common,
        at: inBlock,
        content: valueHtml(old, now),
        does: html`changes ${part.property ?? text('a value')}`,
        label: text('change {property} from {old} to {now}', {
          property: part.property ?? text('a value'),
          old: quoted(old),
          now: quoted(now),
        }),
      }
    case 'document':
      return {
        ...common,
        at: 'page',
        content: suggestedBlocks(old, now),
        does: html`${documentDoes(part)}`,
        label: documentDoes(part),
      }
    case 'other':
      if (changesComments(details) && old + now === '')
        return {
          ...{ ...common, at: commentPlace(details, pageId) },
          // Its details, and the comment that it answers, are all of it.
          isWhole: !isLong && (asked === undefined || askedSentences(asked) !== undefined),
          ...{ does: html`changes comments`, label: text('change comments') },
        }
      return {
        ...common,
        isWhole: common.isWhole && (before !== undefined || after !== undefined),
        at: inBlock,
        ...(old + now !== '' && { content: suggestedBlocks(old, now) }),
        does: html`changes something besides the text`,
        label: text('change something besides the text'),
      }
  }
}

/** Below the block that the comments are on. */
function commentPlace(details: string, pageId: string): DrawnSuggestion['at'] {
  const id = commentedBlock(details)
  return id === undefined || id === pageId ? 'page' : { in: id }
}

type Words = Pick<DrawnSuggestion, 'does' | 'label'>

function movedTo(quoted: string, place: string | undefined): Words {
  if (place === undefined) return { does: html`moves this`, label: text('move {quoted}', { quoted }) }
  return { does: html`moves this to ${shownText(place)}`, label: text('move {quoted} to {place}', { quoted, place }) }
}

function addedTo(quoted: string, place: string | undefined): Words {
  if (place === undefined) return { does: html`adds this`, label: text('insert {quoted}', { quoted }) }
  return { does: html`adds this to ${shownText(place)}`, label: text('insert {quoted} in {place}', { quoted, place }) }
}

/** A row by its title, and anything else by its text. */
function nameOf(markdown: string): string {
  const [, title] = /^<collectionItem [^<>]*>\n<title>(.*)<\/title>\n/.exec(markdown) ?? []
  return title === undefined ? plainWords(markdown) : unescapePlainText(title)
}

const LONG: Readonly<Record<ProposedPart['kind'], TextKey>> = {
  ...{
    added: textKey('adds a long text'),
    removed: textKey('removes a long text'),
    changed: textKey('changes a long text'),
  },
  ...{
    moved: textKey('moves a long text'),
    value: textKey('changes a long value'),
    document: textKey('changes the document'),
    other: textKey('changes more'),
  },
}

const documentDoes = ({ before, after }: ProposedPart): string =>
  before === undefined
    ? text('adds this document')
    : after === undefined
      ? text('removes this document')
      : text('changes this document')

/** A value as text: Markdown as it is, and anything else as JSON has it. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function changedOf(before: string, after: string): Pick<DrawnSuggestion, 'does' | 'label'> & Partial<DrawnSuggestion> {
  const change = changeOf(before, after)
  if (change.kind === 'block')
    return { look: 'replaced', content: change.content, does: html`changes this`, label: change.words }
  const { runs, look } = change
  const words = wordsLabel(runs)
  const becomes = look ?? ''
  if (words === '' && becomes === '')
    return {
      words: change,
      does: html`changes something besides the text`,
      label: text('change something besides the text'),
    }
  const label = [words, becomes].filter((one) => one !== '').join(', ')
  return { words: change, does: html`${becomes === '' ? text('changes words') : becomes}`, label }
}

/** Values are plain text. */
const valueHtml = (old: string, now: string): Html =>
  html`<p class="value">${old !== '' && html`<del class="old">${shownText(old)}</del>`}${now !== '' && html`<ins class="new">${shownText(now)}</ins>`}</p>`

/** The text has changed, so that the words of the suggestion are gone. Accepting it puts its text in place of the present one. */
function conflictOf({
  seen,
  present,
  proposed,
}: NonNullable<ProposedPart['conflict']>): Pick<DrawnSuggestion, 'does' | 'label'> & Partial<DrawnSuggestion> {
  const content = html`<p class="about">Suggested for an earlier text:</p>${suggestedBlocks(seen, proposed)}<p class="about">In place of the present text:</p>${suggestedBlocks(present, proposed)}`
  return {
    content,
    does: html`changes words that are gone`,
    label: text('change words that are gone: {present} to {proposed}', {
      present: quoted(plainWords(present)),
      proposed: quoted(plainWords(proposed)),
    }),
  }
}

function placeOf({ place }: ProposedPart, pageId: string): DrawnSuggestion['at'] {
  if (place?.afterId !== undefined) return { after: place.afterId }
  if (place === undefined) return 'page'
  return place.parentId === pageId ? 'start' : { in: place.parentId }
}

/** Where a block would be moved: what stands there, without buttons. */
export function destinationOf(one: DrawnSuggestion, pageId: string): DrawnSuggestion | undefined {
  const { part } = one
  if (part.kind !== 'moved' || part.place === undefined || !one.isWhole) return undefined
  const content = html`<ins class="new change">${proposedBlocks(textOf(part.after ?? part.before))}</ins>`
  return { ...one, at: placeOf(part, pageId), look: undefined, content, does: html`moves this here`, isGhost: true }
}
