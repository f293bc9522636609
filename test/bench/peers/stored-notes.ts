/** Counts how many concurrently written notes are stored, by reading them back. */
import { type Connection, connectTo, type Store } from './connection.ts'
import { noteOf } from './notes.ts'

const WRITES = 20

export interface StoredNotes {
  kept: number
  /** Acknowledged, but missing. */
  lost: number
  /** Not acknowledged, and missing. */
  refused: number
}

/** @param processes  the number of processes on one store, each with the same number of concurrent writes */
export async function keptOf(
  store: Store,
  what: 'notes' | 'lines',
  processes: number,
): Promise<StoredNotes | undefined> {
  // Sequentially: some servers exit if two of them create the same store at the same time.
  const connections: Connection[] = []
  while (connections.length < processes) connections.push(await connectTo(store))
  let written: Written | undefined
  try {
    written = await (what === 'notes' ? newNotes : linesOfOneNote)(connections)
  } finally {
    // Before the notes are read: some servers do not start while another one holds the store.
    for (const connection of connections) await connection.close()
  }
  return written && counted(store, written)
}

/** The attempted writes, and a function that checks whether a write is there. */
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

/** Reads with a process that wrote none of the notes. */
async function counted(store: Store, { attempts, isThere }: Written): Promise<StoredNotes> {
  const reader = await connectTo(store)
  const result = { kept: 0, lost: 0, refused: 0 }
  for (const { place, isAcknowledged } of attempts) {
    const found = await isThere(reader, place).catch(() => false)
    result[found ? 'kept' : isAcknowledged ? 'lost' : 'refused']++
  }
  await reader.close()
  return result
}
