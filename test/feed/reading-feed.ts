/** Reads the feed of changes for tests. */
import type { Answer } from '../connect.ts'

type Ask = (line: string) => Promise<{ status: number; text: string; json: Answer }>

/** The current cursor of the feed of a link. */
export const cursorNow = async (ask: Ask): Promise<string> => (await page(ask, '')).cursor

/** Reads one page with a query such as `cursor=start&limit=2`. */
export async function page(ask: Ask, query: string): Promise<Answer> {
  const { status, text, json } = await ask(`GET /changes?ids=short&${query}`)
  if (status !== 200) throw new Error(`Expected GET /changes?${query} to answer, found ${status} ${text}`)
  return json
}

/** Reads all items after a cursor, page by page. */
export async function readAll(ask: Ask, cursor: string, limit = 50): Promise<Answer[]> {
  const items: Answer[] = []
  for (let next = cursor; ; ) {
    const answer = await page(ask, `cursor=${next}&limit=${limit}`)
    items.push(...answer.items)
    next = answer.cursor
    if (!answer.hasMore) return items
  }
}

/** Items without their cursors, which differ between two readings. */
export const withoutCursors = (items: readonly Answer[]): Answer[] => items.map(({ cursor: _, ...item }) => item)
