/** Suggestions of a document: what the editor draws, and forms that decide on all that an author suggests. */
import { ScriptoriumError } from '../../base/errors.ts'
import { WAITING_PROPOSALS } from '../../base/limits.ts'
import { editedBlock, titleOf } from '../blocks/block-writer.ts'
import type { DrawnForEditor } from '../blocks/drawn-block.ts'
import type { OwnSuggestions } from '../blocks/suggested-text-blocks.ts'
import { backOf, goTo } from '../form-page.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer } from '../page-declaration.ts'
import { drawnForEditor } from '../suggestions/drawn-for-editor.ts'
import { readSuggestions } from '../suggestions/read-suggestions.ts'

const needs = ['proposals_parts'] as const

/**
 *     GET /d/:id/suggestions?page=100000000003&back=/days/2026-11-20&without=100000000009,100000000010
 */
export const documentSuggestionsPage: Page = {
  route: 'GET /d/:id/suggestions',
  needs,
  async handle(call) {
    const documentId = call.params.id ?? ''
    const pageId = call.query.get('page') ?? documentId
    const back = backOf(call, `/d/${pageId}`)
    const without = new Set((call.query.get('without') ?? '').split(',', WAITING_PROPOSALS))
    const suggestions = await readSuggestions(call, { documentId, pageId, back, without })
    const answer: DrawnForEditor = drawnForEditor(suggestions)
    return jsonResponse(answer)
  },
}

/** What the person has suggested in the text of a page, for the script with which they go on. */
export const suggestedPage: Page = {
  route: 'GET /d/:id/suggested',
  needs,
  async handle(call) {
    const found = call.suggests ? await call.suggestedPage(call.params.id ?? '') : undefined
    if (found === undefined) return jsonResponse(NOTHING_SUGGESTED)
    const { proposalIds: proposals, versions, root, changed, added, removed } = found
    const { content = [] } = root
    const shown = new Set([...changed, ...added])
    const blocks = content
      .filter(({ id }) => shown.has(id))
      .map((block) => editedBlock(block, added.includes(block.id)))
    const order = content.map(({ id }) => id)
    const title = shown.has(root.id) && { title: titleOf(root) }
    const answer: OwnSuggestions = { proposals, versions, ...title, order, blocks, added, removed }
    return jsonResponse(answer)
  },
}

const NOTHING_SUGGESTED: OwnSuggestions = {
  ...{ proposals: [], versions: [] },
  order: [],
  blocks: [],
  added: [],
  removed: [],
}

/** The blocks of a proposal that are not decided on yet, for the script with which they are suggested. */
export const waitingBlocksPage: Page = {
  route: 'GET /suggestions/:id/waiting',
  needs,
  async handle(call) {
    const { items = [] } = (await call.find('proposals_parts', { proposalId: call.params.id ?? '' })) ?? {}
    return jsonResponse(items.flatMap(({ blockId }) => blockId ?? []))
  },
}

const jsonResponse = (answer: object): Response =>
  Response.json(answer, {
    headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
  })

interface GivenPart {
  proposalId: string
  part: string
  fingerprint: string
}

/** The parts that a form names, each as it was shown. */
const partsIn = (form: URLSearchParams): GivenPart[] =>
  form.getAll('part').map((given) => {
    const [proposalId = '', fingerprint = '', ...part] = given.split(' ')
    return { proposalId, fingerprint, part: part.join(' ') }
  })

/** Accepts one after another, each as it was shown. Stops at the first that would change something else by now. */
export const acceptSuggestions: Page = {
  route: 'POST /suggestions/accept',
  needs,
  handle: (call) =>
    decideAll(call, 'approved', ({ proposalId, part, fingerprint }) =>
      call.run('proposals_approve', { proposalId, parts: [part], fingerprint }),
    ),
}

/** What the link has suggested itself: some parts, or all of some proposals. */
export const withdrawSuggestions: Page = {
  route: 'POST /suggestions/withdraw',
  needs,
  async handle(call) {
    for (const whole of call.form.getAll('proposal')) await call.withdraw(whole)
    const withdraw = async ({ proposalId, part }: GivenPart) => {
      await call.withdraw(proposalId, [part])
      return {}
    }
    return decideAll(call, 'withdrawn', withdraw)
  },
}

export const rejectSuggestions: Page = {
  route: 'POST /suggestions/reject',
  needs,
  handle: (call) =>
    decideAll(call, 'rejected', ({ proposalId, part }) => call.run('proposals_reject', { proposalId, parts: [part] })),
}

async function decideAll(
  call: PageCall,
  notice: string,
  decide: (part: GivenPart) => Promise<{ parts?: string[] | undefined }>,
): Promise<PageAnswer> {
  /** Parts that others have taken along. */
  const done = new Set<string>()
  for (const given of partsIn(call.form)) {
    const { proposalId, part } = given
    if (done.has(`${proposalId} ${part}`)) continue
    try {
      const { parts = [] } = await decide(given)
      for (const one of parts) done.add(`${proposalId} ${one}`)
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
      return goTo(backOf(call, '/waiting'), 'suggestions-changed')
    }
  }
  return goTo(backOf(call, '/waiting'), notice)
}
