/** The imported documents, and their content when they were last read. */
import type { Host } from './host.ts'
import type { Readme } from './readmes.ts'

/** The fields of a block that the demo uses. */
export interface Block {
  id: string
  type: string
  markdown: string
  content?: Block[]
  /** Already returned by an earlier response. */
  continued?: true
  pagination?: { cursor: string; remaining: number }
}

export interface Shelved extends Readme {
  id: string
  folderId: string
  /** Its blocks when they were last read, without the root. */
  blocks: Block[]
}

interface Listed {
  id: string
  title: string
  folderId?: string
}

/** Lists documents, over as many responses as needed. @param filter  arguments of `documents_list` */
export async function listed(host: Host, filter: object): Promise<Listed[]> {
  const found: Listed[] = []
  let cursor: string | undefined
  do {
    const input = { ...filter, format: 'json', ...(cursor !== undefined && { cursor }) }
    const answer = await host.call<{ items: Listed[]; pagination?: { cursor: string } }>('documents_list', input)
    found.push(...answer.items)
    cursor = answer.pagination?.cursor
  } while (cursor !== undefined)
  return found
}

/** Reads the blocks below the root of a document in reading order, over as many responses as needed. */
export async function readBlocks(host: Host, id: string): Promise<Block[]> {
  const blocks: Block[] = []
  let cursor: string | undefined
  do {
    const root = await host.call<Block>('blocks_get', { id, format: 'json', ...(cursor !== undefined && { cursor }) })
    cursor = root.pagination?.cursor
    for (const block of inOrder([root])) {
      if (block.id !== id && !block.continued) blocks.push(block)
    }
  } while (cursor !== undefined)
  return blocks
}

function inOrder(roots: readonly Block[]): Block[] {
  const order: Block[] = []
  const waiting = [...roots].reverse()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    order.push(block)
    waiting.push(...(block.content ?? []).toReversed())
  }
  return order
}

export const idsOf = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id)
