/** Runs calls on an open space the way the product does. The harness's writing processes use it. */

import { ToolCatalog } from '../../../src/call/catalog/tool-catalog.ts'
import { toErrorBody } from '../../../src/call/error-body.ts'
import { runCall } from '../../../src/call/run.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import { type OpenSpaceOptions, openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import { proposingLink } from '../test-client/proposing-link.ts'
import type { Acknowledged, KeyedCall } from './keyed-call.ts'

export interface Answering {
  answer(call: KeyedCall): Promise<Acknowledged>
  close(): Promise<void>
}

const PROPOSING = { kind: 'full', documents: [], hasLink: true } as const

const tools = new ToolCatalog(endpoints, 'full')

export async function openAnswering(file: string, options: OpenSpaceOptions = {}): Promise<Answering> {
  const space = await openSpace(file, { timezone: 'Europe/Budapest', ...options })
  // The owner's link, as over stdio: later processes continue this one's content, and only the author may change a
  // comment.
  const link = await space.createAccessLink('full', [])
  const proposing = new Map<string, Promise<AccessLink>>()
  /** A link for each proposer, since the proposals of one link are decided on in order. */
  const linkOf = (name: string): Promise<AccessLink> => {
    const found = proposing.get(name) ?? proposingLink(space, { ...PROPOSING, author: name })
    proposing.set(name, found)
    return found
  }
  /** What a person agrees to who has read the proposal. It stays readable, so that a retry agrees to the same. */
  const agreement = async (proposalId: string): Promise<object> => {
    const read = await runCall(tools.get('proposals_list'), { proposalId }, { space, link })
    const { items } = ('object' in read ? read.object : {}) as { items?: { fingerprint?: string }[] }
    return { proposalId, fingerprint: items?.[0]?.fingerprint }
  }
  return {
    async answer({ key, tool, args, proposedBy }) {
      try {
        const answered = await runCall(
          tools.find(tool) ?? tools.get(tool),
          tool === 'proposals_approve' ? await agreement(String(args.proposalId)) : args,
          { space, link: proposedBy === undefined ? link : await linkOf(proposedBy) },
          { idempotencyKey: key },
        )
        // The stored response has the proposal as its last key, so the same order is used here.
        const object: { proposal?: object } = 'object' in answered ? answered.object : { text: answered.text.body }
        const { proposal, ...answer } = object
        return { key, answer: proposal === undefined ? answer : { ...answer, proposal } }
      } catch (error) {
        return { key, refused: toErrorBody(error, (line) => console.error(line)) }
      }
    },
    close: () => space.close(),
  }
}
