/**
 * Facts about the files that blocks show. The space knows them for the files that it stores. For files at other
 * addresses, what a caller states is kept.
 */
import type { BlockFields, StatedFacts } from '../../markdown/block.ts'
import { FILE_FACTS, STATED_FACTS } from '../blocks/block-input.ts'
import { InputErrors } from '../model/input-errors.ts'
import { checkUnchanged } from '../model/read-only.ts'

/**
 * Adds the facts that a caller states about the file of a block.
 *
 * @param fields  of the block, with the facts that the space knows
 * @param before  the fields of a block whose address has changed. A caller may send its facts as they were read.
 * @throws VALIDATION_ERROR with the path of every fact that contradicts what the space knows
 */
export function withStatedFacts<Fields extends BlockFields>(
  fields: Fields,
  stated: StatedFacts,
  before?: BlockFields,
): Fields {
  const errors = new InputErrors()
  checkFileFacts(fields, stated, errors, before)
  errors.throwIfAny()
  const result = { ...fields }
  for (const key of STATED_FACTS) {
    const value = stated.facts[key]
    if (value === undefined || isKnown(fields, key)) continue
    if (value === null) delete result[key]
    else Object.assign(result, { [key]: value })
  }
  return result
}

/** Adds an error for every stated fact that contradicts what the space knows. */
export function checkFileFacts(
  fields: BlockFields,
  { path, facts }: StatedFacts,
  errors: InputErrors,
  before?: BlockFields,
): void {
  const known: Record<string, unknown> = { ...NO_FILE, ...fields }
  const read: Record<string, unknown> = before === undefined ? known : { ...NO_FILE, ...before }
  for (const key of FILE_FACTS) {
    if (!isKnown(fields, key) || facts[key] === read[key]) continue
    checkUnchanged(facts[key], known[key], { key, advice: key === 'uploaded' ? UPLOAD : FROM_FILE, path, errors })
  }
}

/** Removes the facts about a file, since they belong to another address. */
export function withoutFileFacts<Fields extends BlockFields>(fields: Fields): Fields {
  const result = { ...fields }
  for (const key of FILE_FACTS) delete result[key]
  return result
}

/** Whether the space knows a fact: if it stores a file, that alone, or also what the file is like. */
function isKnown({ uploaded = false }: BlockFields, key: (typeof FILE_FACTS)[number]): boolean {
  if (key === 'uploaded' || key === 'isPreviewImageUploaded') return true
  return uploaded && key !== 'previewImageWidth'
}

const FROM_FILE = 'leave it out, since it follows from the file'
const UPLOAD = 'leave it out; files are uploaded with files_add'
/** The values of fields that a block without a file does not show. */
const NO_FILE = { uploaded: false, isPreviewImageUploaded: false }
