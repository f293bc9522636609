/** Converts IDs in texts, in any of their spellings, to numbers. */
import { idsOfFormer } from '../../../storage/ids.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { readSpelledId } from './ids.ts'

/** IDs that are looked up in one step, which takes some milliseconds. */
const IDS_PER_BATCH = 1_000

interface Prefixed {
  idPrefix: string
}

interface IdContext {
  tx: Transaction
  info: { id: string; addressKey: Prefixed; formerAddressKeys: readonly Prefixed[] }
  /** The IDs behind references of later steps, such as `$plan`. */
  references: ReadonlyMap<string, number>
}

/** Leaves out texts that are not IDs, and IDs of other spaces. Nothing needs to exist with the ID. */
export async function readIds(
  { tx, info, references }: IdContext,
  texts: Iterable<string>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const formers = new Map<string, string>()
  for (const text of texts) {
    const referenced = references.get(text)
    if (referenced !== undefined) ids.set(text, referenced)
    const spelled = readSpelledId(text)
    if (spelled.kind === 'unknown') continue
    if (spelled.space !== undefined && spelled.space !== info.id.toLowerCase()) continue
    if (spelled.kind === 'former') formers.set(text, spelled.uuid)
    else if (spelled.prefix === undefined || isOwnPrefix(info, spelled.prefix)) ids.set(text, spelled.number)
  }
  if (formers.size === 0) return ids
  const uuids = [...new Set(formers.values())]
  const found = new Map<string, number>()
  for (let start = 0; start < uuids.length; start += IDS_PER_BATCH) {
    const part = await idsOfFormer(tx, uuids.slice(start, start + IDS_PER_BATCH))
    for (const [uuid, id] of part) found.set(uuid, id)
  }
  for (const [text, uuid] of formers) {
    const id = found.get(uuid)
    if (id !== undefined) ids.set(text, id)
  }
  return ids
}

const isOwnPrefix = ({ addressKey, formerAddressKeys }: IdContext['info'], prefix: string): boolean =>
  prefix === addressKey.idPrefix || formerAddressKeys.some(({ idPrefix }) => prefix === idPrefix)
