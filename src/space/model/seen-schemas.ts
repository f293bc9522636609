/**
 * Which properties and options each connection has seen, so that a schema which it sends deletes nothing that others
 * have added since. Kept in memory, as a connection is: a connection that is not known has seen nothing.
 */

/** Numbers of the properties and options of a collection. */
export interface SeenSchema {
  properties: ReadonlySet<number>
  options: ReadonlySet<number>
}

/** A connection: a session or a process, or for calls without either all that use one link. */
export interface SchemaReader {
  connection?: string
  id?: string
  /** What a connection had seen by collection when it proposed the call, whatever it has seen since. */
  seenSchemas?: ReadonlyMap<number, SeenSchema>
}

/** Numbers that are kept per space, the last ones: about 20 MB. Each schema counts as some more. */
const MAX_NUMBERS = 500_000
const NUMBERS_PER_SCHEMA = 20

const sizeOf = ({ properties, options }: SeenSchema): number => NUMBERS_PER_SCHEMA + properties.size + options.size

/** What the connections of a space have seen. */
export class SeenSchemas {
  readonly #maxNumbers: number
  readonly #seen = new Map<string, SeenSchema>()
  #size = 0

  constructor(maxNumbers = MAX_NUMBERS) {
    this.#maxNumbers = maxNumbers
  }

  get(key: string): SeenSchema | undefined {
    return this.#seen.get(key)
  }

  set(key: string, schema: SeenSchema): void {
    this.#delete(key)
    this.#seen.set(key, schema)
    this.#size += sizeOf(schema)
    for (const oldest of this.#seen.keys()) {
      if (this.#size <= this.#maxNumbers) return
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    const schema = this.#seen.get(key)
    if (schema === undefined) return
    this.#seen.delete(key)
    this.#size -= sizeOf(schema)
  }
}

/** What one call sees. It counts for later calls once the call is committed: what was rolled back was never there. */
export class SeenByCall {
  readonly #before: SeenSchemas
  readonly #noted = new Map<string, SeenSchema>()
  /** What the connection had seen before the call, of each collection for which that was asked. */
  readonly asked = new Map<number, SeenSchema>()

  constructor(before: SeenSchemas) {
    this.#before = before
  }

  /** What the connection has seen of a collection. Undefined if it never read its schema. */
  of(reader: SchemaReader, collection: number): SeenSchema | undefined {
    const key = keyOf(reader, collection)
    const before = reader.seenSchemas === undefined ? this.#before.get(key) : reader.seenSchemas.get(collection)
    if (before !== undefined) this.asked.set(collection, before)
    return this.#noted.get(key) ?? before
  }

  note(reader: SchemaReader, collection: number, schema: SeenSchema): void {
    this.#noted.set(keyOf(reader, collection), schema)
  }

  /** Notes a property that the connection itself has added. */
  noteProperty(reader: SchemaReader, collection: number, property: number): void {
    const seen = this.of(reader, collection)
    if (seen === undefined) return
    this.note(reader, collection, { ...seen, properties: new Set([...seen.properties, property]) })
  }

  /** Call it once the call is committed. */
  store(): void {
    for (const [key, schema] of this.#noted) this.#before.set(key, schema)
  }
}

/** Calls that were proposed have a key of their own, since their answers do not reach the connection. */
const keyOf = ({ connection = '', id = '', seenSchemas }: SchemaReader, collection: number): string =>
  JSON.stringify([connection, id, collection, seenSchemas !== undefined])
