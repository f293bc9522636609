/**
 * Which properties and options each connection has seen, so that a schema which it sends deletes nothing that others
 * have added since. Kept in memory, as a connection is: a connection that is not known has seen nothing.
 */

/** A connection: a session or a process, or over REST all that use one link. */
export interface SchemaReader {
  connection?: string
  id?: string
}

/** Numbers of the properties and options of a collection. */
export interface SeenSchema {
  properties: ReadonlySet<number>
  options: ReadonlySet<number>
}

/** Schemas that are kept per space, the last ones. One takes a few kilobytes. */
const MAX_SEEN = 2_000

export class SeenSchemas {
  readonly #seen = new Map<string, SeenSchema>()

  /** What the connection has seen of a collection, over REST what its link has. Undefined if it never read its schema. */
  of(reader: SchemaReader, collection: number): SeenSchema | undefined {
    return this.#seen.get(keyOf(reader, collection))
  }

  note(reader: SchemaReader, collection: number, schema: SeenSchema): void {
    const key = keyOf(reader, collection)
    this.#seen.delete(key)
    this.#seen.set(key, schema)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest)
  }

  /** Notes a property that the connection itself has added. */
  noteProperty(reader: SchemaReader, collection: number, property: number): void {
    const seen = this.of(reader, collection)
    if (seen === undefined) return
    this.note(reader, collection, { ...seen, properties: new Set([...seen.properties, property]) })
  }
}

const keyOf = ({ connection, id = '' }: SchemaReader, collection: number): string =>
  JSON.stringify([connection ?? '', id, collection])
