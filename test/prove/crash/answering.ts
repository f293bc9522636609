/** Calls on an open space, along the way of every call: what a writing process of the harness does. */
import { errorBody, run } from '../../../src/server/run.ts'
import { ToolTable } from '../../../src/server/table.ts'
import { type OpenOptions, openSpace } from '../../../src/space/open.ts'
import { endpoints } from '../../../tools/index.ts'
import type { Acknowledged, Asked } from './asked.ts'

export interface Answering {
  answer(asked: Asked): Promise<Acknowledged>
  close(): Promise<void>
}

const tools = new ToolTable(endpoints, 'full')

export async function openAnswering(file: string, options: OpenOptions = {}): Promise<Answering> {
  const space = await openSpace(file, { timezone: 'Europe/Budapest', ...options })
  const link = await space.link('full', [], 'prover')
  return {
    async answer({ key, tool, args }) {
      try {
        const answered = await run(tools.get(tool), args, { space, link }, { key })
        return { key, answer: 'object' in answered ? answered.object : { text: answered.text.body } }
      } catch (error) {
        return { key, refused: errorBody(error, (line) => console.error(line)) }
      }
    },
    close: () => space.close(),
  }
}
