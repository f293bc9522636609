/** Reads what the person has suggested on this page before, once all that waits in the browser has arrived. */
import type { OwnSuggestions } from '../../blocks/suggested-text-blocks.ts'
import { calls } from '../calls.ts'

/** @throws an error if the server cannot be reached */
export async function readOwnSuggestions({
  base,
  documentId,
  pageId,
}: {
  base: string
  documentId: string
  pageId: string
}): Promise<OwnSuggestions> {
  while (calls.connection === 'online' && (await calls.pending(documentId)).length > 0) await calls.settled(documentId)
  const response = await fetch(`${base}/d/${pageId}/suggested${location.search}`)
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return (await response.json()) as OwnSuggestions
}
