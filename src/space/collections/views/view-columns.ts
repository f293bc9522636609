/** The columns of a collection as views name them. */
import { invalid } from '../../../base/errors.ts'
import { type Column, TITLE_COLUMN, TITLE_COLUMN_NUMBER } from './view.ts'

/** Names shown where none fits; more would bury the sentence. */
const NAMES_PER_MESSAGE = 25

export class ViewColumns {
  readonly all: readonly Column[]
  readonly #byNumber: ReadonlyMap<number, Column>

  /** @param all  the title column among them */
  constructor(all: readonly Column[]) {
    this.all = all
    this.#byNumber = new Map(all.map((column) => [column.n, column]))
  }

  /** The column of a stored reference; none when it is gone. */
  get(n: number): Column | undefined {
    return this.#byNumber.get(n)
  }

  /**
   * The column that a client names, by `title`, a key or a display name. A key goes before a name: it never changes.
   *
   * @throws VALIDATION_ERROR that lists the columns
   */
  findByName(word: string): Column {
    const found =
      this.all.find(({ n, key }) => (n === TITLE_COLUMN_NUMBER ? word === TITLE_COLUMN : word === key)) ??
      this.all.find(({ key }) => key === word) ??
      this.all.find(({ name }) => name === word)
    if (found !== undefined) return found
    const keys = this.all.map(columnKey)
    const more = keys.length > NAMES_PER_MESSAGE ? ` and ${keys.length - NAMES_PER_MESSAGE} more` : ''
    throw invalid(
      `Expected the key or name of a property of this collection, found ${JSON.stringify(word)}; its properties are ${keys.slice(0, NAMES_PER_MESSAGE).join(', ')}${more}.`,
    )
  }
}

/** What answers call a column by. */
export const columnKey = ({ n, key }: Column): string => (n === TITLE_COLUMN_NUMBER ? TITLE_COLUMN : key)

/** A column in the words of messages. */
export const describeColumn = ({ type, name }: Column): string =>
  type === TITLE_COLUMN ? 'the title' : `the ${type} property ${JSON.stringify(name)}`

/** A column as answers refer to it. */
export interface PropertyReference {
  propertyId: string
  propertyKey: string
  propertyName: string
}

export function propertyReference(column: Column): PropertyReference {
  return { propertyId: columnKey(column), propertyKey: column.key, propertyName: column.name }
}
