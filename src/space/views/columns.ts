/** The columns of a collection as views name them. */
import { invalid } from '../../errors.ts'
import { type Column, TITLE, TITLE_NUMBER } from './view.ts'

/** Names shown where none fits; more would bury the sentence. */
const SHOWN = 25

export class Columns {
  readonly all: readonly Column[]
  readonly #byNumber: ReadonlyMap<number, Column>

  /** @param all  the title column among them */
  constructor(all: readonly Column[]) {
    this.all = all
    this.#byNumber = new Map(all.map((column) => [column.n, column]))
  }

  /** The column of a stored reference; none when it is gone. */
  at(n: number): Column | undefined {
    return this.#byNumber.get(n)
  }

  /**
   * The column that a client names, by `title`, a key or a display name. A key goes before a name: it never changes.
   *
   * @throws VALIDATION_ERROR that lists the columns
   */
  named(word: string): Column {
    const found =
      this.all.find(({ n, key }) => (n === TITLE_NUMBER ? word === TITLE : word === key)) ??
      this.all.find(({ key }) => key === word) ??
      this.all.find(({ name }) => name === word)
    if (found !== undefined) return found
    const keys = this.all.map(keyOf)
    const more = keys.length > SHOWN ? ` and ${keys.length - SHOWN} more` : ''
    throw invalid(
      `Expected the key or name of a property of this collection, found ${JSON.stringify(word)}; its properties are ${keys.slice(0, SHOWN).join(', ')}${more}.`,
    )
  }
}

/** What answers call a column by. */
export const keyOf = ({ n, key }: Column): string => (n === TITLE_NUMBER ? TITLE : key)

/** A column in the words of messages. */
export const described = ({ type, name }: Column): string =>
  type === TITLE ? 'the title' : `the ${type} property ${JSON.stringify(name)}`

/** A column as answers refer to it. */
export interface Reference {
  propertyId: string
  propertyKey: string
  propertyName: string
}

export function referenceTo(column: Column): Reference {
  return { propertyId: keyOf(column), propertyKey: column.key, propertyName: column.name }
}
