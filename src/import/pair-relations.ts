/** Finds relations that are the two sides of one: a space writes both sides together. */
import type { ImportRelation } from '../space/import/imported-content.ts'

/**
 * The relations without those that another is the other side of, whose name that one gets.
 *
 * Two are sides of one where each item refers to exactly those items that refer to it.
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

/** Each pair of items as a text. @param isTurned  whether the one that is referred to comes first */
function linksOf({ values }: ImportRelation, isTurned: boolean): Set<string> {
  const links = new Set<string>()
  for (const [item, targets] of values)
    for (const target of targets) links.add(isTurned ? `${target} ${item}` : `${item} ${target}`)
  return links
}

const sameLinks = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other)
