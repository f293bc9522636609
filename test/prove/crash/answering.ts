/** Calls on an open space, along the way of every call: what a writing process of the harness does. */

import { ToolCatalog } from '../../../src/call/catalog/tool-catalog.ts'
import { toErrorBody } from '../../../src/call/error-body.ts'
import { runCall } from '../../../src/call/run.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import { type OpenSpaceOptions, openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import { proposingLink } from '../asking/proposing-link.ts'
import type { Acknowledged, Asked } from './asked.ts'

export interface Answering {
  answer(asked: Asked): Promise<Acknowledged>
  close(): Promise<void>
}

const PROPOSING = { kind: 'full', documents: [], hasLink: true } as const

const tools = new ToolCatalog(endpoints, 'full')

export async function openAnswering(file: string, options: OpenSpaceOptions = {}): Promise<Answering> {
  const space = await openSpace(file, { timezone: 'Europe/Budapest', ...options })
  // The owner's, as over stdio: others go on with what was written here, and comments are their author's to change.
  const link = await space.createAccessLink('full', [])
  const proposing = new Map<string, Promise<AccessLink>>()
  /** One for each of those who propose, since what they propose is decided on in its order. */
  const linkOf = (name: string): Promise<AccessLink> => {
    const found = proposing.get(name) ?? proposingLink(space, { ...PROPOSING, author: name })
    proposing.set(name, found)
    return found
  }
  return {
    async answer({ key, tool, args, proposedBy }) {
      try {
        const answered = await runCall(
          tools.find(tool) ?? tools.get(tool),
          args,
          { space, link: proposedBy === undefined ? link : await linkOf(proposedBy) },
          { idempotencyKey: key },
        )
        // Where it waits stands last in what the space keeps.
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
