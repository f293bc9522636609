/** Lists, adds, changes and deletes what is drawn on a whiteboard. Source: the interface, "Whiteboards". */

import { isDeepStrictEqual } from 'node:util'
import * as stored from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { chunks } from '../../base/scheduling.ts'
import { OUT_OF_SCOPE_ADDRESS } from '../../markdown/addresses.ts'
import { restoreStrings } from '../content/visible-fields.ts'
import { updateRow } from '../model/block-writes.ts'
import { type Expected, entriesAsExpected, type FoundFields } from '../model/conditions.ts'
import type { GivenId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import { assertUnchanged } from '../model/read-only.ts'
import type { Space } from '../model/space.ts'
import { followersOf, releaseConnected } from './connected-elements.ts'
import {
  type ElementInput,
  type JsonObject,
  toStoredElement,
  unknownTypeMessage,
  validateAddresses,
  validateElements,
  validateNumbers,
} from './element-input.ts'
import { elementTypeNamed } from './element-types.ts'
import { expandSkeletons, namedElements } from './expand-skeletons.ts'
import { getWhiteboard } from './find-whiteboard.ts'
import { assertAssetsKept, assertElementsKept } from './guard-whiteboard-loss.ts'
import { boundTextId } from './skeleton-labels.ts'
import { newLabelOf, relabel } from './update-skeletons.ts'
import { visibleAssets, visibleElements, visibleJson } from './visible-elements.ts'

/** The content of a whiteboard. `assets` and `appState` are missing if there are none. */
export interface WhiteboardContent {
  elements: JsonObject[]
  assets?: JsonObject
  appState?: JsonObject
}

/** The response format of writing calls: the whole whiteboard in its new state, or the elements that the call wrote. */
export type ElementsAnswerFormat = 'full' | 'changed' | 'ids'

interface ElementsInput {
  whiteboardBlockId: GivenId
  /** Of type ElementInput after preparation. */
  elements: readonly unknown[]
  assets?: JsonObject | undefined
  appState?: JsonObject | undefined
  /** For updates: what elements are believed to be, by their IDs, and whether to change the others if some are not. */
  expected?: ReadonlyMap<string, Expected>
  partial?: boolean
  answer: ElementsAnswerFormat
}

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR if the block is not a whiteboard */
export async function listElements(space: Space, whiteboardBlockId: GivenId): Promise<WhiteboardContent> {
  return readContent(space, await getWhiteboard(space, whiteboardBlockId))
}

/** @throws VALIDATION_ERROR with the path of every error, or for duplicate IDs */
export function prepareAddElements(input: ElementsInput): ElementsInput {
  const errors = new InputErrors()
  validateNumbers(input.assets, 'assets', errors)
  validateNumbers(input.appState, 'appState', errors)
  for (const [id, asset] of Object.entries(input.assets ?? {})) validateAddresses(asset, `assets.${id}`, errors)
  errors.throwIfAny()
  return { ...input, elements: validateElements(input.elements, ['id', 'type']) }
}

/**
 * Adds elements above the existing ones; see `expand-skeletons.ts` for their short form. Assets are added to those of
 * the whiteboard. Only the given keys of the app state change.
 *
 * @throws as {@link listElements} does; VALIDATION_ERROR if the whiteboard already has an element with one of the IDs;
 *   FORBIDDEN if the image of an existing asset would change and the link may not delete. Nothing is written in these
 *   cases.
 */
export async function addElements(
  space: Space,
  { whiteboardBlockId, elements, assets, appState, answer }: ElementsInput,
) {
  const board = await getWhiteboard(space, whiteboardBlockId)
  const given = elements as readonly ElementInput[]
  const { added, changed } = expandSkeletons(given, await readElements(space, board, namedElements(given)))
  const existing = await stored.elementsByIds(space.tx, board.n, elementIds(added))
  if (existing.length > 0) throw idsTakenError(idsInOrder(elementIds(added), existing))
  await stored.insertElements(space.tx, board.n, added.map(toStoredElement))
  const bound = changed.map(asNext)
  if (bound.length > 0) await stored.updateElements(space.tx, board.n, bound.map(toStoredElement))
  if (assets !== undefined) {
    await assertAssetsKept(space, board, assets)
    for await (const part of chunks(Object.entries(assets), ELEMENTS_PER_BATCH)) {
      const assetRows = part.map(([id, asset]) => ({ id, json: JSON.stringify(asset) }))
      const masked = assetRows.filter(({ json }) => json.includes(OUT_OF_SCOPE_ADDRESS))
      const ids = masked.map(({ id }) => id)
      const before = ids.length === 0 ? [] : await stored.assetsByIds(space.tx, board.n, ids)
      const old = new Map(before.map(({ id, json }) => [id, JSON.parse(json)]))
      for (const row of masked) row.json = JSON.stringify(restoreStrings(JSON.parse(row.json), old.get(row.id)))
      await stored.upsertAssets(space.tx, board.n, assetRows)
    }
  }
  if (appState !== undefined) {
    const before = await stored.whiteboardState(space.tx, board.n)
    const old = before === undefined ? {} : (JSON.parse(before) as JsonObject)
    const given = restoreStrings(appState, old) as JsonObject
    await stored.upsertWhiteboardState(space.tx, board.n, JSON.stringify({ ...old, ...given }))
  }
  await touchWhiteboard(space, board)
  return answer === 'full'
    ? readContent(space, board)
    : { elements: await visibleElements(space, [...added, ...bound].map(toStoredElement)) }
}

/** @throws VALIDATION_ERROR with the path of every error, or for duplicate IDs */
export function prepareUpdateElements(input: ElementsInput): ElementsInput {
  const expected = new Map<string, Expected>()
  const elements = input.elements.map((element) => {
    if (!isObject(element) || !isObject(element.expected)) return element
    const { expected: condition, ...changes } = element
    expected.set(String(element.id), condition as Expected)
    return changes
  })
  return { ...input, elements: validateElements(elements, ['id']), expected }
}

/**
 * Changes the given keys of each element. Labels and arrows follow shapes that are moved or resized. The version of a changed element is incremented, so that open drawings accept
 * the change as newer, unless the input gives another version.
 *
 * @throws as {@link listElements} does; NOT_FOUND_ERROR that names every ID that is not on the whiteboard; FORBIDDEN if
 *   elements become deleted and the link may not delete. Nothing is written in these cases.
 */
export async function updateElements(
  space: Space,
  { whiteboardBlockId, elements, answer, assets, appState, expected, partial = false }: ElementsInput,
) {
  const board = await getWhiteboard(space, whiteboardBlockId)
  if (assets !== undefined || appState !== undefined) {
    const content = await readContent(space, board)
    assertUnchanged(assets, content.assets ?? {}, { key: 'assets', advice: ADD_INSTEAD })
    assertUnchanged(appState, content.appState ?? {}, { key: 'appState', advice: ADD_INSTEAD })
  }
  const all = elements as readonly ElementInput[]
  const found = await stored.elementsByIds(space.tx, board.n, elementIds(all))
  const before = new Map(found.map(({ id, json }) => [id, JSON.parse(json) as ElementInput]))
  const missing = elementIds(all).filter((id) => !before.has(id))
  if (missing.length > 0) throw idsMissingError(missing)
  const { held: updates, conflicts } = await entriesAsExpected({
    ...{ entries: all, noun: 'element', isPartial: partial },
    pathOf: (index) => `elements[${index}]`,
    idOf: ({ id }) => id,
    expectedOf: ({ id }) => expected?.get(id),
    read: (some) => readFields(space, some, found),
  })
  const changed = updates.map((given) => {
    const old = before.get(given.id) as ElementInput
    return changeElement(old, restoreStrings(given, old) as ElementInput)
  })
  const labels = await changeLabels(space, board, { updates, before, changed })
  assertElementsKept(space, before, changed)
  assertElementsKept(space, labels.before, labels.changed)
  const own = new Set(elementIds([...changed, ...labels.changed, ...labels.added]))
  const readOthers = (ids: readonly string[]) =>
    readElements(
      space,
      board,
      ids.filter((id) => !own.has(id)),
    )
  const followers = await followersOf(before, changed, readOthers)
  const deleted = changed.filter(({ id, isDeleted }) => isDeleted === true && before.get(id)?.isDeleted !== true)
  const released = await releaseConnected(deleted, readOthers)
  const gone = released.labels.map((label) => ({ ...label, isDeleted: true }))
  const carried = [...labels.changed, ...[...followers, ...released.freed, ...gone].map(asNext)]
  const written = [...changed.filter((element) => element !== before.get(element.id)), ...carried]
  await stored.updateElements(space.tx, board.n, written.map(toStoredElement))
  if (labels.added.length > 0) await stored.insertElements(space.tx, board.n, labels.added.map(toStoredElement))
  if (written.length > 0) await touchWhiteboard(space, board)
  const content =
    answer === 'full'
      ? await readContent(space, board)
      : {
          elements: await visibleElements(space, [...changed, ...carried, ...labels.added].map(toStoredElement)),
        }
  return { ...content, ...(conflicts.length > 0 && { conflicts }) }
}

/** What conditions can name of an element: any of its keys, and those that a change would add. */
async function readFields(
  space: Space,
  elements: readonly ElementInput[],
  present: readonly stored.StoredElement[],
): Promise<FoundFields[]> {
  const visible = (await visibleElements(space, present)) as JsonObject[]
  const byId = new Map(visible.map((element) => [element.id, element]))
  return elements.map((element) => ({
    ...Object.fromEntries(Object.keys(element).map((key) => [key, null])),
    ...byId.get(element.id),
  }))
}

interface ChangedLabels {
  added: ElementInput[]
  changed: ElementInput[]
  /** The changed labels before the change. */
  before: ReadonlyMap<string, ElementInput>
}

/** Applies the labels that an update gives to shapes. Replaces the shapes in `changed` with their new state. */
async function changeLabels(
  space: Space,
  board: BlockRow,
  {
    updates,
    before,
    changed,
  }: { updates: readonly ElementInput[]; before: ReadonlyMap<string, ElementInput>; changed: ElementInput[] },
): Promise<ChangedLabels> {
  const labelled = updates.flatMap((given, index) => {
    const label = newLabelOf(given, before.get(given.id) as ElementInput)
    return label === undefined ? [] : [{ index, label }]
  })
  const textIds = labelled.flatMap(({ index }) => boundTextId(changed[index] as ElementInput) ?? [])
  const texts = new Map((await readElements(space, board, textIds)).map((text) => [text.id, text]))
  const labels: ChangedLabels = { added: [], changed: [], before: texts }
  for (const { index, label } of labelled) {
    const container = changed[index] as ElementInput
    const old = texts.get(boundTextId(container) ?? '')
    const both = relabel(container, old, old === undefined ? label : (restoreStrings(label, old) as JsonObject))
    changed[index] = both.container
    if (old === undefined) labels.added.push(both.text)
    else labels.changed.push(changeElement(old, both.text))
  }
  return labels
}

async function readElements(space: Space, { n }: BlockRow, ids: readonly string[]): Promise<ElementInput[]> {
  if (ids.length === 0) return []
  const found = await stored.elementsByIds(space.tx, n, ids)
  return found.map(({ json }) => JSON.parse(json) as ElementInput).filter(({ isDeleted }) => isDeleted !== true)
}

const ADD_INSTEAD = 'leave it out, and send it with elements_add'

/**
 * Merges an update into an element. An element that is written back as it was read does not change. A version equal to
 * the stored one counts as not given.
 */
function changeElement(old: ElementInput, given: ElementInput): ElementInput {
  const merged = { ...old, ...given }
  if (merged.type !== old.type && elementTypeNamed(String(merged.type)) === undefined) {
    throw invalid(unknownTypeMessage(merged.type))
  }
  if (isDeepStrictEqual(merged, old)) return old
  return merged.version === old.version ? { ...merged, version: nextVersion(old.version) } : merged
}

/** An element with its next version, so that open drawings accept it. */
const asNext = (element: ElementInput): ElementInput => ({ ...element, version: nextVersion(element.version) })

/** Excalidraw treats an element without a version as version 1. */
const nextVersion = (version: unknown): number => (Number.isSafeInteger(version) ? (version as number) : 1) + 1

/**
 * Deletes the elements with these IDs, their labels, and assets that no element uses after that. Arrows to them stay, and
 * are bound to nothing. IDs that are not on the whiteboard
 * are skipped, so that the call can be repeated.
 *
 * @throws as {@link listElements} does
 */
export async function deleteElements(space: Space, whiteboardBlockId: GivenId, ids: readonly string[]) {
  const board = await getWhiteboard(space, whiteboardBlockId)
  const read = (some: readonly string[]) => readElements(space, board, some)
  const { labels, freed } = await releaseConnected(await read(ids), read)
  const deleted = await stored.deleteElements(space.tx, board.n, [...ids, ...elementIds(labels)])
  if (freed.length > 0) await stored.updateElements(space.tx, board.n, freed.map(asNext).map(toStoredElement))
  const shown = deleted.flatMap(({ json }) =>
    json.includes('"fileId"') ? [(JSON.parse(json) as JsonObject).fileId] : [],
  )
  const files = shown.filter((id) => typeof id === 'string')
  if (files.length > 0) await stored.deleteUnusedAssets(space.tx, board.n, files)
  if (deleted.length > 0) await touchWhiteboard(space, board)
  return { deletedCount: deleted.length, remainingCount: await stored.countElements(space.tx, board.n) }
}

async function readContent(space: Space, { n, id }: BlockRow): Promise<WhiteboardContent> {
  space.seenRows.show([id])
  const elements: JsonObject[] = []
  for await (const part of chunks(await stored.whiteboardElements(space.tx, n), ELEMENTS_PER_BATCH)) {
    elements.push(...(await visibleElements(space, part)))
  }
  const assets: [id: string, asset: unknown][] = []
  for await (const part of chunks(await stored.whiteboardAssets(space.tx, n), ELEMENTS_PER_BATCH)) {
    const visible = await visibleAssets(
      space,
      part.map(({ json }) => json),
    )
    assets.push(...part.map(({ id }, index): [string, unknown] => [id, visible[index]]))
  }
  const state = await stored.whiteboardState(space.tx, n)
  const [appState] = state === undefined ? [] : await visibleJson(space, [state])
  return {
    elements,
    ...(assets.length > 0 && { assets: Object.fromEntries(assets) }),
    ...(appState !== undefined && { appState }),
  }
}

/** How many elements or assets one statement reads or writes. */
const ELEMENTS_PER_BATCH = 500

/** Marks the block as modified, since a drawing is part of its document. */
async function touchWhiteboard(space: Space, board: BlockRow): Promise<void> {
  await updateRow(space, { ...board, modifiedAt: space.now, modifiedBy: space.link.author })
}

const elementIds = (elements: readonly ElementInput[]): string[] => elements.map(({ id }) => id)

function idsInOrder(ids: readonly string[], kept: readonly stored.StoredElement[]): string[] {
  const found = new Set(kept.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

const idsTakenError = (ids: readonly string[]) =>
  invalid(
    `Expected element IDs that are new on this whiteboard, found ${ids.join(', ')}; change those with elements_update, or give new IDs. Nothing was written.`,
  )

const idsMissingError = (ids: readonly string[]) =>
  notFound(
    `Expected the IDs of elements on this whiteboard, found none of ${ids.join(', ')}; read IDs with elements_list, or add them with elements_add. Nothing was written.`,
  )
