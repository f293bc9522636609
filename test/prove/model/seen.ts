/**
 * Which properties and options each caller has seen. A schema that leaves out others does not delete them, since they
 * were added or restored meanwhile. Undo does not change what was seen.
 */
import type { Collection, Option, Property } from './world.ts'

type Seen = ReadonlySet<Property | Option>

export class SeenSchemas {
  readonly #before = new Map<string, Map<Collection, Seen>>()
  /** What the present call sees, which counts for later calls once it is carried out. */
  #inCall = new Map<Collection, Seen>()
  #author = ''

  begin(author: string): void {
    this.#author = author
    this.#inCall = new Map()
  }

  /** Undefined if the caller never read the schema, and so replaces all of it. */
  of(collection: Collection): Seen | undefined {
    return this.#inCall.get(collection) ?? this.#before.get(this.#author)?.get(collection)
  }

  note(collection: Collection): void {
    const options = collection.properties.flatMap((property) => property.options)
    this.#inCall.set(collection, new Set([...collection.properties, ...options]))
  }

  /** Notes a property that the caller itself has added to a collection that it has seen. */
  noteAdded(collection: Collection, property: Property): void {
    const seen = this.of(collection)
    if (seen !== undefined) this.#inCall.set(collection, new Set([...seen, property]))
  }

  /** Call it once the call is carried out. */
  keep(): void {
    this.#before.set(this.#author, new Map([...(this.#before.get(this.#author) ?? []), ...this.#inCall]))
  }
}
