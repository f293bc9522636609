/**
 * Approval bot: approves proposals that your rules allow, rejects those that they forbid, and leaves all others to people.
 *
 *     REST_URL=… node approval-bot.ts
 *
 * REST_URL is the REST address of a link that may do what is proposed. Its name stands in the history beside each
 * approval: `scriptorium links add --name "Approval bot"`.
 */
import { call, type Items } from './rest.ts'

interface Proposal {
  proposalId: string
  author: string
  tool: string
  summary: string
}

interface Shown extends Proposal {
  diff: string
  /** It is there once all of the proposal was shown. */
  fingerprint?: string
}

type Verdict = { approve: true } | { reject: string } | { leave: string }

/**
 * Your rules. Keep them as functions, and do not ask a model: what is proposed was written by an agent, which may have
 * read text that tells a model what to answer.
 */
function decide({ tool, diff, summary }: Shown): Verdict {
  if (/_delete$/.test(tool)) return { reject: 'Deletions are proposed to a person, not here.' }
  const lines = diff.split('\n').filter((line) => /^[+-](?![+-])/.test(line))
  if (lines.some((line) => /https?:\/\//.test(line))) return { leave: 'it contains a link to the web' }
  if (tool !== 'blocks_add' && tool !== 'tasks_add') return { leave: `${tool} changes what is there` }
  if (lines.length > 20) return { leave: `it has ${lines.length} lines` }
  if (!/block|task/.test(summary)) return { leave: 'it changes more than text' }
  return { approve: true }
}

async function show(id: string): Promise<Shown | undefined> {
  const { items } = await call<Items<Shown>>(`GET /proposals?proposalId=${id}`)
  return items[0]
}

const { items: waiting } = await call<Items<Proposal>>('GET /proposals')
// The oldest first, since later ones may need what it makes.
for (const { proposalId } of waiting.reverse()) {
  const proposal = await show(proposalId)
  if (proposal === undefined) continue
  const { fingerprint, summary } = proposal
  const verdict = fingerprint === undefined ? { leave: 'it is too long to be shown at once' } : decide(proposal)
  if ('approve' in verdict) {
    // The fingerprint names what was read: if the proposal would do something else by now, this is refused.
    await call(`POST /proposals/${proposalId}/approve`, { fingerprint })
    console.log(`approved: ${summary}`)
  } else if ('reject' in verdict) {
    await call(`POST /proposals/${proposalId}/reject`, { note: verdict.reject })
    console.log(`rejected: ${summary}`)
  } else console.log(`left: ${summary}, since ${verdict.leave}`)
}
