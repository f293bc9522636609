/** Plants differences in a product's responses, one kind at a time. */
import type { RawAnswer } from './normalize.ts'

type Plant = (answer: RawAnswer) => string | undefined

const ID = /\b[1-9]\d{11}\b/g

/** Each returns a changed body, or undefined if the difference cannot be planted in this response. */
const PLANTS: Record<string, Plant> = {
  'another number': ({ isError, body }) => {
    const changed = body.replace(/":(\d+)(?=[,}])/, (_, number) => `":${Number(number) + 1}`)
    return isError || changed === body ? undefined : changed
  },
  'another word': ({ isError, body }) => {
    const changed = body.replace('words', 'swords')
    return isError || changed === body ? undefined : changed
  },
  'the ID of something else': ({ isError, body }) => {
    const ids = [...new Set(body.match(ID))]
    const [first, second] = ids
    // Both IDs must be known already: a new ID may have any value.
    return isError || first === undefined || second === undefined || ids.length < 4
      ? undefined
      : body.replaceAll(second, first)
  },
  'another code': ({ isError, body }) =>
    isError && body.includes('NOT_FOUND_ERROR') ? body.replaceAll('NOT_FOUND_ERROR', 'CONFLICT') : undefined,
  'done in place of refused': ({ isError }) => (isError ? '{"items":[]}' : undefined),
}

export const PLANTED = Object.keys(PLANTS)

/** The number of calls between two planted differences. */
const APART = 20

/** Plants one difference after another. */
export class Planting {
  /** The differences planted so far. */
  readonly planted: string[] = []
  #calls = 0

  /** @param from  the number of calls before the first difference */
  constructor(from: number) {
    this.#calls = -from
  }

  plant(answer: RawAnswer): RawAnswer {
    if (this.#calls++ < this.planted.length * APART) return answer
    const name = PLANTED[this.planted.length]
    const body = name === undefined ? undefined : PLANTS[name]?.(answer)
    if (name === undefined || body === undefined) return answer
    this.planted.push(name)
    return { ...answer, body, isError: answer.isError && name !== 'done in place of refused' }
  }
}
