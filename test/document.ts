/** A document made of Markdown, and its tree as a test reads it. */
import type { Answer, Connected } from './connect.ts'

/** The ID of a new document with this content. */
export async function documentOf({ call }: Connected, markdown = '', title = 'Document'): Promise<string> {
  const { items } = await call('documents_add', { documents: [{ title, markdown }] })
  return items[0].id
}

/** Blocks as `['# One', ['Page', ['in it']]]`: their Markdown, pages with what they hold. */
export const outline = (blocks: Answer[] = []): unknown[] =>
  blocks.map(({ markdown, content }) => (content?.length > 0 ? [markdown, outline(content)] : markdown))

export const contentOf = async ({ call }: Connected, id: string): Promise<Answer[]> =>
  (await call('blocks_get', { id, maxBlocks: 20_000 })).content ?? []

export const outlineOf = async (connected: Connected, id: string) => outline(await contentOf(connected, id))

/** IDs of the blocks of a document by their words, those in pages included. */
export async function idsOf(connected: Connected, id: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const waiting = await contentOf(connected, id)
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    found[block.markdown] = block.id
    waiting.push(...(block.content ?? []))
  }
  return found
}
