/** The parts of a proposal, each with what it would change by now, and buttons that accept and reject it alone. */
import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import type { DetailLine } from '../../difference/unified-diff.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ProposedPart } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { namedPlace, otherPlace, readPlaces } from '../suggestions/other-places.ts'
import { type ProposedRow, proposedRowHtml, readProposedRows } from '../suggestions/proposed-row.ts'
import { styleHtml } from '../suggestions/suggestion-html.ts'
import { differenceHtml } from './difference.ts'

/** The waiting parts of a proposal. */
export async function readParts(call: PageCall, proposalId: string): Promise<ProposedPart[]> {
  return (await call.run('proposals_parts', { proposalId })).items
}

/** The waiting parts of a proposal, with buttons for those who may decide. */
export const decidablePartsHtml = async (call: PageCall, parts: readonly ProposedPart[]): Promise<Html> =>
  html`<section class="parts" id="parts"><h2>Decide on its parts</h2>${await partsHtml(call, parts, (part) => call.may('decide') && actionsHtml(call, part))}</section>`

/** The row that a proposal adds, if it does nothing else. */
export async function onlyRowHtml(call: PageCall, parts: readonly ProposedPart[]): Promise<Html | false> {
  const [row] = (await readProposedRows(call, parts)).values()
  return row !== undefined && html`<section><h2>The new row</h2>${rowHtml(call, row)}</section>`
}

const rowHtml = (call: PageCall, row: ProposedRow): Html =>
  html`${styleHtml(call)}<div class="proposed by-1">${proposedRowHtml(row)}</div>`

/**
 * @param parts  of one proposal
 * @param acts  what can be done with one of them
 */
export async function partsHtml(
  call: PageCall,
  parts: readonly ProposedPart[],
  acts: (part: ProposedPart) => Html | false,
): Promise<Html> {
  const cards: Html[] = []
  const [rows, places] = [await readProposedRows(call, parts), await readPlaces(call, parts)]
  for (const [index, part] of parts.entries()) {
    const other = otherPlace(part)
    const place = other && namedPlace(places.get(other))
    cards.push(await partHtml(call, part, { all: parts, number: index + 1, row: rows.get(part), place }, acts(part)))
  }
  return html`${cards}`
}

interface AroundPart {
  all: readonly ProposedPart[]
  number: number
  row: ProposedRow | undefined
  /** Where it moves or adds something. */
  place: string | undefined
}

async function partHtml(
  call: PageCall,
  part: ProposedPart,
  { all, number, row, place }: AroundPart,
  acts: Html | false,
): Promise<Html> {
  const { needs = [], waitsFor = [], refused, conflict } = part
  const needed = needs.flatMap((key) => {
    const index = all.findIndex((one) => one.part === key)
    return index < 0 ? [] : String(index + 1)
  })
  return html`<div class="card waits" id="part-${part.part}"><h3>${number}. ${KINDS[part.kind](part, place)}</h3>
${row !== undefined && rowHtml(call, row)}
${await differenceHtml(call.comparer, await differenceOf(call, row === undefined ? part : { ...part, after: undefined }), false, { isWhole: true })}
${conflict !== undefined && conflictHtml(conflict)}
${needed.length > 0 && html`<p class="about">Accepting it accepts ${needed.join(', ')} as well, which it needs.</p>`}
${waitsFor.map((id) => html`<p class="about"><a href="${call.href(`/waiting/${id}`)}">Another proposal</a> has to be decided on first, since it makes what this one names.</p>`)}
${refused !== undefined && html`<p role="alert">It cannot be accepted now: ${shownText(refused)}</p>`}
${acts}</div>`
}

/** What a part does, for people. */
const KINDS: Readonly<Record<ProposedPart['kind'], (part: ProposedPart, place?: string) => Html>> = {
  added: (_, place) => (place === undefined ? html`Add` : html`Add to ${shownText(place)}`),
  removed: () => html`Remove`,
  changed: () => html`Change`,
  moved: (_, place) => (place === undefined ? html`Move` : html`Move to ${shownText(place)}`),
  value: ({ property = '' }) => html`Change ${shownText(property)}`,
  document: () => html`New document`,
  other: () => html`Change`,
}

async function differenceOf(call: PageCall, { kind, before, after, details = '', asked = '' }: ProposedPart) {
  const lines = details === '' ? [] : details.split('\n').map(detailLine)
  // What is moved stays as it is: its text says what it is.
  const from = kind === 'moved' ? '' : textOf(before)
  const texts = await call.comparer.compareDocuments([
    { title: '', before: from, after: textOf(after), details: lines },
  ])
  return [...texts, asked].flatMap((text) => (text === '' ? [] : parseUnifiedDiff(text)))
}

const detailLine = (line: string): DetailLine => ({ sign: line.startsWith('-') ? '-' : '+', text: line.slice(1) })

const textOf = (content: unknown): string =>
  content === undefined || content === null ? '' : typeof content === 'string' ? content : JSON.stringify(content)

const conflictHtml = ({ seen, present }: NonNullable<ProposedPart['conflict']>): Html =>
  html`<p role="alert">The words that it changes are gone. It was made from “${shownText(seen)}”, and the text is “${shownText(present)}” now. Accepting it puts the proposed text in its place.</p>`

function actionsHtml(call: PageCall, { proposalId, part, fingerprint }: ProposedPart): Html {
  const form = (action: string, button: Html, more: Html | false = false) =>
    html`<form method="post" action="${call.href(`/waiting/${proposalId}/${action}`)}">${call.tokenField()}<input type="hidden" name="part" value="${part}"><input type="hidden" name="back" value="/waiting/${proposalId}">${more}${button}</form>`
  const agreed = html`<input type="hidden" name="fingerprint" value="${fingerprint}">`
  return html`<div class="acts">${fingerprint !== undefined && form('accept-part', html`<button class="go">Accept</button>`, agreed)}${form('reject-part', html`<button>Reject</button>`)}</div>`
}
