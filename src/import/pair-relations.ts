/** Finds pairs of relations that are the two sides of a single one, since a space writes both sides together. */
import type { ImportRelation } from '../space/import/imported-content.ts'

/**
 * Merges each such pair into one relation, which gets the name of the other as the name of its other side.
 *
 * Two relations are a pair if each item refers to exactly those items that refer to it.
 */
export function pairRelations(relations: readonly ImportRelation[]): ImportRelation[] {
  const left = new Set(relations)
  const paired: ImportRelation[] = []
  for (const relation of relations) {
    if (!left.delete(relation)) continue
    const other = [...left].find(
      (one) =>
        one.collection === relation.target &&
        one.target === relation.collection &&
        sameLinks(linksOf(relation, false), linksOf(one, true)),
    )
    if (other === undefined) paired.push(relation)
    else {
      left.delete(other)
      paired.push({ ...relation, otherName: other.name })
    }
  }
  return paired
}

/** Returns each pair of items as a text. @param isTurned  whether to put the target first */
function linksOf({ values }: ImportRelation, isTurned: boolean): Set<string> {
  const links = new Set<string>()
  for (const [item, targets] of values)
    for (const target of targets) links.add(isTurned ? `${target} ${item}` : `${item} ${target}`)
  return links
}

const sameLinks = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other)
