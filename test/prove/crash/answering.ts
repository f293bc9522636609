/** Calls on an open space, along the way of every call: what a writing process of the harness does. */
import { runCall, toErrorBody } from '../../../src/call/run.ts'
import { ToolCatalog } from '../../../src/call/tool-catalog.ts'
import { type OpenSpaceOptions, openSpace } from '../../../src/space/open-space.ts'
import { endpoints } from '../../../tools/index.ts'
import type { Acknowledged, Asked } from './asked.ts'

export interface Answering {
  answer(asked: Asked): Promise<Acknowledged>
  close(): Promise<void>
}

const tools = new ToolCatalog(endpoints, 'full')

export async function openAnswering(file: string, options: OpenSpaceOptions = {}): Promise<Answering> {
  const space = await openSpace(file, { timezone: 'Europe/Budapest', ...options })
  const link = await space.createAccessLink('full', [], 'prover')
  return {
    async answer({ key, tool, args }) {
      try {
        const answered = await runCall(tools.get(tool), args, { space, link }, { idempotencyKey: key })
        return { key, answer: 'object' in answered ? answered.object : { text: answered.text.body } }
      } catch (error) {
        return { key, refused: toErrorBody(error, (line) => console.error(line)) }
      }
    },
    close: () => space.close(),
  }
}
