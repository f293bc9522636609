/** Where threads stand beside the text: each as near to its words as the others allow. */

/** A thread, from the top of the page down. */
export interface PlacedThread {
  /** Where its words are, in pixels from the top. */
  top: number
  height: number
}

/**
 * The tops of threads that do not overlap.
 *
 * @param shown  the index of the one that stands exactly at its words: those before it move up, or below it if there is
 *   no room above
 */
export function threadTops(
  threads: readonly PlacedThread[],
  { least, gap, shown }: { least: number; gap: number; shown?: number | undefined },
): number[] {
  const tops = threads.map(() => least)
  const own = shown === undefined ? undefined : threads[shown]
  if (shown === undefined || own === undefined) {
    placeDown(threads, [...threads.keys()], { tops, from: least, gap })
    return tops
  }
  const top = Math.max(least, own.top)
  tops[shown] = top
  let index = shown - 1
  let end = top - gap
  for (; index >= 0; index--) {
    const { height, top: wanted } = threads[index] ?? own
    if (end - height < least) break
    tops[index] = Math.max(least, Math.min(wanted, end - height))
    end = (tops[index] ?? 0) - gap
  }
  const below = [...threads.keys()].filter((at) => at <= index || at > shown)
  placeDown(threads, below, { tops, from: top + own.height + gap, gap })
  return tops
}

/** Places threads one below the other, in their order. */
function placeDown(
  threads: readonly PlacedThread[],
  order: readonly number[],
  { tops, from, gap }: { tops: number[]; from: number; gap: number },
): void {
  let end = from
  for (const index of order) {
    const { top, height } = threads[index] ?? { top: 0, height: 0 }
    const placed = Math.max(top, end)
    tops[index] = placed
    end = placed + height + gap
  }
}
