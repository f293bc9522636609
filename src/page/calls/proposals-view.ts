/**
 * Waiting proposals and their parts in a conversation (MCP Apps). They can be rejected there. Approving leads to the page,
 * since over the agent's own connection a person's click cannot be distinguished from a call of the model.
 */
import { PROPOSAL_NOTE_LENGTH } from '../../base/limits.ts'
import { mayDecide } from '../../space/model/access.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ProposalItem } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { cardHtml, decidedEntryHtml, readProposal } from './proposals.ts'
import { partsHtml, readParts } from './proposed-parts.ts'

/** Proposals that are shown with their difference, and parts in all of them. The pages have the others. */
const PROPOSALS_SHOWN = 10
const PARTS_SHOWN = 20

export async function proposalsView(call: PageCall, input: Record<string, unknown>): Promise<Html> {
  const { items, pagination } = await call.run('proposals_list', input)
  const waiting = items.filter(({ state }) => state === 'waiting').reverse()
  const decided = items.filter(({ state }) => state !== 'waiting')
  // Of a proposal that was asked for, the response has the part that was asked for.
  const isAlone = input.proposalId !== undefined
  const cards: Html[] = []
  let room = PARTS_SHOWN
  for (const item of waiting.slice(0, PROPOSALS_SHOWN)) {
    const shown = isAlone
      ? { item, ...(pagination && { next: pagination }) }
      : await readProposal(call, item.proposalId)
    const decides = mayDecide(call.request.caller.link) && !isOwn(call, item)
    const count = waitingParts(shown.item)
    const isSplit = count > 1 && (isAlone || count <= room)
    if (isSplit) room -= count
    const below = isSplit ? await partsBelow(call, item.proposalId, decides) : false
    const acts = decides ? actsHtml(call, { proposalId: item.proposalId }) : wayThere(call, item.proposalId)
    cards.push(await cardHtml(call, shown, { size: isAlone ? 'page' : 'list', acts, below }))
  }
  const more = waiting.length - cards.length
  return html`<h1><a href="${call.href('/waiting')}">Waiting for you</a></h1>
${items.length === 0 && html`<p class="empty">Nothing waits.</p>`}
${cards}
${more > 0 && html`<p class="more"><a href="${call.href('/waiting')}">${call.formats.number(more)} more</a></p>`}
${decided.length > 0 && html`<ul class="calls">${decided.map((item) => decidedEntryHtml(call, item))}</ul>`}`
}

/** What a link has proposed itself, others decide on. */
const isOwn = (call: PageCall, { linkId }: ProposalItem): boolean =>
  linkId !== undefined && linkId === call.request.caller.link.id

const waitingParts = ({ parts = [] }: ProposalItem): number => parts.filter(({ state }) => state === 'waiting').length

async function partsBelow(call: PageCall, proposalId: string, decides: boolean): Promise<Html> {
  const parts = await readParts(call, proposalId)
  const acts = (part: string) => decides && actsHtml(call, { proposalId, part })
  return html`<details><summary>Its ${call.formats.number(parts.length)} parts</summary>
${await partsHtml(call, parts, ({ part }) => acts(part))}</details>`
}

const wayThere = (call: PageCall, proposalId: string): Html =>
  html`<div class="acts"><a class="button" href="${call.href(`/waiting/${proposalId}`)}">Decide on its page</a></div>`

/** A link to the page that approves, and a button by which the view asks its host to reject. */
function actsHtml(call: PageCall, { proposalId, part }: { proposalId: string; part?: string }): Html {
  const page = call.href(`/waiting/${proposalId}`)
  const [address, verb] = part === undefined ? [page, text('Approve')] : [`${page}#part-${part}`, text('Accept')]
  const key = part !== undefined && html` data-part="${part}"`
  // A program over standard input and output may have no pages.
  const way = URL.canParse(page)
    ? html`<a class="button go" href="${address}">${verb} on its page</a>`
    : html`<span class="n">${verb} it with scriptorium proposals approve ${proposalId}${part !== undefined && html` --part ${part}`}</span>`
  return html`<div class="acts">${way}
<details class="reject"><summary class="button plain">Reject</summary><div><label>A word to the agent <input type="text" dir="auto" maxlength="${PROPOSAL_NOTE_LENGTH}" autocomplete="off"></label><button type="button" data-reject="${proposalId}"${key}>Reject</button></div></details></div>`
}
