/** A document made from Markdown, and its tree in a short form for tests. */
import type { Answer, Connected } from './connect.ts'

/** Creates a document with this content. Returns its ID. */
export async function documentOf({ call }: Connected, markdown = '', title = 'Document'): Promise<string> {
  const { items } = await call('documents_add', { documents: [{ title, markdown }] })
  return items[0].id
}

/** Blocks as `['# One', ['Page', ['in it']]]`: their Markdown, and pages with their content. */
export const outline = (blocks: Answer[] = []): unknown[] =>
  blocks.map(({ markdown, content }) => (content?.length > 0 ? [markdown, outline(content)] : markdown))

export const contentOf = async ({ call }: Connected, id: string): Promise<Answer[]> =>
  (await call('blocks_get', { id, maxBlocks: 20_000 })).content ?? []

export const outlineOf = async (connected: Connected, id: string) => outline(await contentOf(connected, id))

/** IDs of the blocks of a document by their text, including those in pages. */
export async function idsOf(connected: Connected, id: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const waiting = await contentOf(connected, id)
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    found[block.markdown] = block.id
    waiting.push(...(block.content ?? []))
  }
  return found
}
