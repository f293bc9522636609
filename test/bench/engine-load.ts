/** Many concurrent writers, and readers at the same time. */
import { median, timed } from './figure.ts'
import { addDocument, openWorkbench, type Workbench } from './workbench.ts'

/** A space with a document to write to. */
interface WrittenSpace {
  bench: Workbench
  write(): Promise<unknown>
}

export async function newWrittenSpace(place: string): Promise<WrittenSpace> {
  const bench = await openWorkbench(place)
  const position = { position: 'end', pageId: await addDocument(bench, 'Written to') }
  return { bench, write: () => bench.call('blocks_add', { markdown: 'A line.', position }) }
}

/** Opens the spaces, ten at a time. */
export async function newWrittenSpaces(places: readonly string[]): Promise<WrittenSpace[]> {
  const spaces: WrittenSpace[] = []
  for (let from = 0; from < places.length; from += 10) {
    spaces.push(...(await Promise.all(places.slice(from, from + 10).map(newWrittenSpace))))
  }
  return spaces
}

/** Runs writers that write to the spaces in turn. @returns writes per second */
export async function writesPerSecond(
  spaces: readonly WrittenSpace[],
  writers: number,
  milliseconds: number,
): Promise<number> {
  const from = performance.now()
  const until = from + milliseconds
  let written = 0
  const writer = async (first: number) => {
    for (let turn = first; performance.now() < until; turn += writers) {
      await spaces[turn % spaces.length]?.write()
      written++
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)))
  return (written * 1000) / (performance.now() - from)
}

/** Returns the median time of a read in milliseconds while writers write without pauses. */
export async function readBeside(
  read: () => Promise<unknown>,
  write: () => Promise<unknown>,
  writers: number,
  reads: number,
): Promise<number> {
  let isDone = false
  const writing = Array.from({ length: writers }, async () => {
    while (!isDone) await write()
  })
  const times: number[] = []
  for (let count = 0; count < reads; count++) times.push(await timed(read))
  isDone = true
  await Promise.all(writing)
  return median(times)
}
