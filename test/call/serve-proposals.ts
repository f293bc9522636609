/** A server with links that propose and decide. */
import type { Answer } from '../connect.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'

export const REST_IDS = { headers: {} }

/** Starts a server with a document, a link that decides, and a link that proposes. */
export async function serveProposals({ kind = 'full' as const, access = 'full' as 'full' | 'no-delete' } = {}) {
  const serving = await serveBuilt()
  const person = await serving.link({ name: 'Anna', access, kind })
  const owner = await serving.link({ name: 'Owner' })
  const agent = await serving.link({ name: 'Robot', access: 'propose' })
  const { json } = await owner.ask('POST /documents?ids=short', {
    documents: [{ title: 'Plan', markdown: 'one\n\ntwo' }],
  })
  const [{ id: plan }] = json.items
  const read = async (link: TestLink = owner) =>
    (await link.ask(`GET /blocks?id=${plan}&ids=short`, undefined, { accept: 'text/markdown' })).text
  const write = (link: TestLink, markdown: string, pageId = plan) =>
    link.ask('POST /blocks?ids=short', { markdown, position: { position: 'end', pageId } })
  const approve = async (link: TestLink, id: string, body: object = {}) =>
    link.ask(`POST /proposals/${id}/approve?ids=short`, { ...(await agreement(link, id, body)), ...body })
  const reject = (link: TestLink, id: string, body: object = {}) =>
    link.ask(`POST /proposals/${id}/reject?ids=short`, body)
  return { ...serving, person, owner, agent, plan, read, write, approve, reject }
}

/** What a person agrees to who has read a proposal, or seen what it does as edited. Nothing if it cannot be read. */
export async function agreement(link: TestLink, id: string, body: object = {}): Promise<{ fingerprint?: string }> {
  const { json } =
    'steps' in body
      ? await link.ask(`POST /proposals/${id}/approve`, body, { prefer: 'dry-run' })
      : await link.ask(`GET /proposals?proposalId=${id}`)
  const fingerprint = json.fingerprint ?? json.items?.[0]?.fingerprint
  return fingerprint === undefined ? {} : { fingerprint }
}

export const proposalOf = (response: { json: Answer }): string => response.json.proposal.proposalId
