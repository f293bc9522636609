/** Differences that are planted in what a product answers, a kind at a time. */
import type { RawAnswer } from './normalize.ts'

type Plant = (answer: RawAnswer) => string | undefined

const ID = /\b[1-9]\d{11}\b/g

/** Each gives another body of the answer, or none where it cannot be planted. */
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
    // Where both were known: an ID that is new is any ID.
    return isError || first === undefined || second === undefined || ids.length < 4
      ? undefined
      : body.replaceAll(second, first)
  },
  'another code': ({ isError, body }) =>
    isError && body.includes('NOT_FOUND_ERROR') ? body.replaceAll('NOT_FOUND_ERROR', 'CONFLICT') : undefined,
  'done in place of refused': ({ isError }) => (isError ? '{"items":[]}' : undefined),
}

export const PLANTED = Object.keys(PLANTS)

/** Calls from one planted difference to the next. */
const APART = 20

/** Plants one after another. */
export class Planting {
  /** What was planted so far. */
  readonly planted: string[] = []
  #calls = 0

  /** @param from  calls after which the first is planted */
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
