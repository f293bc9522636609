/** Finds columns of a collection by the names that clients use in views. */
import { invalid } from '../../../base/errors.ts'
import { findByWord } from '../schema/property-keys.ts'
import { type Column, TITLE_COLUMN, TITLE_COLUMN_NUMBER } from './view.ts'

/** How many names an error message lists; more would bury the sentence. */
const NAMES_PER_MESSAGE = 25

export class ViewColumns {
  readonly all: readonly Column[]
  readonly #byNumber: ReadonlyMap<number, Column>

  /** @param all  including the title column */
  constructor(all: readonly Column[]) {
    this.all = all
    this.#byNumber = new Map(all.map((column) => [column.n, column]))
  }

  /** Finds the column of a stored reference. Returns undefined if it was deleted. */
  get(n: number): Column | undefined {
    return this.#byNumber.get(n)
  }

  /**
   * Finds a column by `title`, or as {@link findByWord} does.
   *
   * @throws VALIDATION_ERROR that lists the columns
   */
  findByName(word: string): Column {
    const found = word === TITLE_COLUMN ? this.get(TITLE_COLUMN_NUMBER) : findByWord(this.all, word)
    if (found !== undefined) return found
    const keys = this.all.map(columnKey)
    const more = keys.length > NAMES_PER_MESSAGE ? ` and ${keys.length - NAMES_PER_MESSAGE} more` : ''
    throw invalid(
      `Expected the key or name of a property of this collection, found ${JSON.stringify(word)}; its properties are ${keys.slice(0, NAMES_PER_MESSAGE).join(', ')}${more}.`,
    )
  }
}

/** The name of a column in responses. */
export const columnKey = ({ n, key }: Column): string => (n === TITLE_COLUMN_NUMBER ? TITLE_COLUMN : key)

/** Describes a column for error messages. */
export const describeColumn = ({ type, name }: Column): string =>
  type === TITLE_COLUMN ? 'the title' : `the ${type} property ${JSON.stringify(name)}`

/** A reference to a column in responses. */
export interface PropertyReference {
  propertyId: string
  propertyKey: string
  propertyName: string
}

export function propertyReference(column: Column): PropertyReference {
  return { propertyId: columnKey(column), propertyKey: column.key, propertyName: column.name }
}
