/** Reads the results of queries in batches. */

/** How many rows one query reads. */
export const ROWS_PER_BATCH = 1_000

/** Reads all results of a query in batches. @param keyOf  the key that the next batch continues after */
export async function readAll<Row>(
  read: (after: number) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): Promise<Row[]> {
  const all: Row[] = []
  for (let after = 0; ; ) {
    const part = await read(after)
    for (const row of part) all.push(row)
    const last = part.at(-1)
    if (last === undefined || part.length < ROWS_PER_BATCH) return all
    after = keyOf(last)
  }
}
