/** Prepares parts of proposals and runs them, with the IDs that they promised. */
import { filesOfProposal } from '../../../../storage/proposals.ts'
import type { ProposalFileRow, ProposalRow } from '../../../../storage/schema.ts'
import { ScriptoriumError } from '../../../base/errors.ts'
import type { AccessLink } from '../../model/access-link.ts'
import { generateSeededIds } from '../../model/ids.ts'
import type { Chance } from '../../model/new-ids.ts'
import type { PrepareContext } from '../../model/prepare-context.ts'
import type { Space } from '../../model/space.ts'
import { disposeSteps, type PreparedStep, runSteps, type StepResult } from '../../model/steps.ts'
import type { PartStep, StoredPart } from './part.ts'

/** A part that is ready to run once. */
export interface PreparedPart {
  part: StoredPart
  /** Its calls. The first of these that is not refused for the texts that it finds is carried out. */
  choices: readonly (readonly PreparedStep[])[]
}

/** Which of the choices of each part was carried out, by key. */
export type Chosen = ReadonlyMap<string, number>

export type PartContext = Pick<PrepareContext, 'read' | 'files' | 'prepareStep'>

/** The calls of a part, from those that keep most of what others have changed to those that keep least. */
const choicesOf = ({ steps, merging, replacing }: StoredPart): (readonly PartStep[])[] =>
  [merging, steps, replacing].filter((choice) => choice !== undefined)

/**
 * @param place  puts what a part adds beside what is there
 * @param chosen  if given, only these choices are prepared
 * @throws errors of the calls
 */
export async function prepareParts(
  row: ProposalRow,
  parts: readonly StoredPart[],
  link: AccessLink,
  context: PartContext,
  place: (steps: readonly PartStep[], part: StoredPart) => readonly PartStep[],
  chosen?: Chosen,
): Promise<PreparedPart[]> {
  const files = new Map((await context.read(({ tx }) => filesOfProposal(tx, row.n))).map((file) => [file.step, file]))
  const prepared: PreparedPart[] = []
  try {
    for (const part of parts) {
      const choices: PreparedStep[][] = []
      prepared.push({ part, choices })
      const only = chosen?.get(part.key)
      const wanted = choicesOf(part)
      for (const steps of only === undefined ? wanted : wanted.slice(only, only + 1)) {
        const choice: PreparedStep[] = []
        choices.push(choice)
        const placed = place(steps, part)
        const isAlone = placed.length === 1 && parts.length === 1 && placed[0]?.tool === row.tool
        for (const step of placed) choice.push(await prepareOne(step, choice.length, isAlone, link, context, files))
      }
    }
    return prepared
  } catch (error) {
    await disposeParts(prepared)
    throw error
  }
}

async function prepareOne(
  { file: number, ...step }: PartStep,
  index: number,
  isAlone: boolean,
  link: AccessLink,
  context: PartContext,
  files: ReadonlyMap<number, ProposalFileRow>,
): Promise<PreparedStep> {
  const file = number === undefined ? undefined : files.get(number)
  const body = file && { body: { stream: await context.files.read(file), mediaType: file.mediaType, size: file.size } }
  return context.prepareStep({ ...step, path: `steps[${index}]`, isAlone, link, ...body })
}

export const stepsIn = (parts: readonly PreparedPart[]): PreparedStep[] =>
  parts.flatMap(({ choices }) => choices[0] ?? [])

export async function disposeParts(parts: readonly PreparedPart[]): Promise<void> {
  for (const { choices } of parts) for (const steps of choices) await disposeSteps(steps)
}

/** Draws the IDs that parts have promised. */
export class PromisedIds {
  readonly chance: Chance
  ids: readonly number[] = []
  /** Those of documents that were made to put something there, since {@link begin}. */
  places: number[] = []
  #promisedPlaces: readonly number[] | undefined
  #seed = ''
  #next = 0

  constructor(chance: Chance) {
    this.chance = {
      ...chance,
      generateIds: (count) => this.#draw(count),
      generatePlaceIds: (count) => this.#drawPlaces(count),
    }
  }

  /** How many IDs were drawn since {@link begin}. */
  get used(): number {
    return this.#next
  }

  /**
   * @param seed  of further IDs, which are the same each time: they are part of what a person agrees to
   * @param places  which of the IDs are those of documents that are made to put something there. If that is not known, they
   *   are drawn in order
   */
  begin(ids: readonly number[], seed: string, places?: readonly number[]): void {
    this.ids = places === undefined ? ids : ids.filter((id) => !places.includes(id))
    this.places = []
    this.#promisedPlaces = places
    this.#seed = seed
    this.#next = 0
  }

  /** Others may have made the place meanwhile, or it may be missing by now: what is put there has its own IDs anyway. */
  #drawPlaces(count: number): number[] {
    const promised = this.#promisedPlaces
    const start = this.places.length
    const drawn = promised === undefined ? this.#draw(count) : promised.slice(start, start + count)
    const all = drawn.length === count ? drawn : generateSeededIds(count, `${this.#seed} place ${start}`)
    this.places.push(...all)
    return all
  }

  #draw(count: number): number[] {
    const start = this.#next
    this.#next += count
    // IDs from several draws are not sorted.
    const drawn = this.ids.slice(start, this.#next).sort((one, other) => one - other)
    return drawn.length === count ? drawn : generateSeededIds(count, `${this.#seed} ${start}`)
  }
}

/** Runs parts one after the other. @returns what each step has done, and which choice of each part was carried out */
export async function runParts(
  space: Space,
  id: number,
  parts: readonly PreparedPart[],
  ids: PromisedIds,
): Promise<{ results: StepResult[]; chosen: Chosen }> {
  const results: StepResult[] = []
  const chosen = new Map<string, number>()
  for (const { part, choices } of parts) {
    for (const [index, steps] of choices.entries()) {
      ids.begin(part.ids, `${id} ${part.key}`, part.places)
      try {
        const isLast = index === choices.length - 1
        results.push(...(await (isLast ? runSteps(space, steps) : space.tx.attempt(() => runSteps(space, steps)))))
        chosen.set(part.key, index)
        break
      } catch (error) {
        if (index === choices.length - 1 || !isConflict(error)) throw error
      }
    }
  }
  return { results, chosen }
}

const isConflict = (error: unknown): boolean => error instanceof ScriptoriumError && error.code === 'CONFLICT'
