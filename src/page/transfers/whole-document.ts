/** Reads documents that are longer than one answer. */
import type { JsonBlock } from '../../space/model/json-block.ts'
import type { PageCall } from '../page-call.ts'

/** A document with all that is in it. */
export async function readWholeDocument(
  call: PageCall,
  { id, fetchMetadata = false }: { id: string; fetchMetadata?: boolean },
): Promise<JsonBlock> {
  const input = { id, maxDepth: -1, fetchMetadata }
  const { pagination, ...root } = await call.run('blocks_get', input)
  for (let cursor = pagination?.cursor; cursor !== undefined; ) {
    const part = await call.run('blocks_get', { ...input, cursor })
    graft(root, part)
    cursor = part.pagination?.cursor
  }
  return root
}

/** Appends a later part, which repeats the blocks around its first one. */
function graft(root: JsonBlock, part: JsonBlock): void {
  let place: JsonBlock | undefined = root
  while (place !== undefined && place.id !== part.id) place = place.content?.at(-1)
  let more: JsonBlock | undefined = part
  while (place !== undefined && more !== undefined) {
    place.content ??= []
    const all: JsonBlock[] = more.content ?? []
    const last: JsonBlock | undefined = place.content.at(-1)
    const isContinued: boolean = last !== undefined && all[0]?.id === last.id
    place.content.push(...all.slice(isContinued ? 1 : 0))
    place = isContinued ? last : undefined
    more = all[0]
  }
}
