/** What is left of notes that are written at the same time, counted by reading them back. */
import { type Connection, connectTo, type Store } from './connection.ts'
import { noteOf } from './notes.ts'

const WRITES = 20

export interface Kept {
  kept: number
  /** Said to be written, and not there. */
  lost: number
  /** Not said to be written, and not there. */
  refused: number
}

/** @param processes  each with as many writes at once, all on one store */
export async function keptOf(store: Store, what: 'notes' | 'lines', processes: number): Promise<Kept | undefined> {
  // One after another: some end when two begin to make the same store.
  const connections: Connection[] = []
  while (connections.length < processes) connections.push(await connectTo(store))
  let written: Written | undefined
  try {
    written = await (what === 'notes' ? newNotes : linesOfOneNote)(connections)
  } finally {
    // Before they are read: some do not begin while another holds the store.
    for (const connection of connections) await connection.close()
  }
  return written && counted(store, written)
}

/** What was written, and how to tell whether it is there. */
interface Written {
  attempts: { place: Place; isAcknowledged: boolean }[]
  isThere(reader: Connection, place: Place): Promise<boolean>
}

async function newNotes(connections: readonly Connection[]): Promise<Written> {
  const title = (writer: number, write: number) => `Parallel ${connections.length} ${writer} ${write}`
  const attempts = await allAtOnce(connections, async ({ notes }, writer, write) => {
    await notes.write([noteOf(title(writer, write), write)])
  })
  return {
    attempts,
    async isThere({ notes }, [writer, write]) {
      const { text } = await notes.read(title(writer, write))
      return text.toLowerCase().includes(`plan of ${title(writer, write)}:`.toLowerCase())
    },
  }
}

async function linesOfOneNote(connections: readonly Connection[]): Promise<Written | undefined> {
  const title = `Appended ${connections.length}`
  const [first] = connections
  if (first?.notes.append === undefined) return undefined
  await first.notes.write([noteOf(title, 1)])
  const line = (writer: number, write: number) => `Line ${writer} ${write} stands.`
  const attempts = await allAtOnce(connections, async ({ notes }, writer, write) => {
    await notes.append?.(title, line(writer, write))
  })
  return {
    attempts,
    async isThere({ notes }, [writer, write]) {
      const { text } = await notes.read(title)
      return text.includes(line(writer, write))
    },
  }
}

type Place = [writer: number, write: number]

async function allAtOnce(
  connections: readonly Connection[],
  work: (connection: Connection, writer: number, write: number) => Promise<void>,
): Promise<Written['attempts']> {
  const attempts = connections.flatMap((connection, writer) =>
    Array.from({ length: WRITES }, async (_, write) => {
      const isAcknowledged = await work(connection, writer, write).then(
        () => true,
        () => false,
      )
      return { place: [writer, write] satisfies Place as Place, isAcknowledged }
    }),
  )
  return Promise.all(attempts)
}

/** Read by a process that wrote none of it. */
async function counted(store: Store, { attempts, isThere }: Written): Promise<Kept> {
  const reader = await connectTo(store)
  const result = { kept: 0, lost: 0, refused: 0 }
  for (const { place, isAcknowledged } of attempts) {
    const found = await isThere(reader, place).catch(() => false)
    result[found ? 'kept' : isAcknowledged ? 'lost' : 'refused']++
  }
  await reader.close()
  return result
}
