import { ScriptoriumError } from '../../base/errors.ts'

/**
 * The refusal of a change in a document that a person has locked.
 *
 * @param id  of the document; absent if it is out of reach, where only what belongs to it would have changed
 */
export const lockedError = (id: string | undefined, lockedBy: string): ScriptoriumError =>
  new ScriptoriumError(
    'DOCUMENT_LOCKED',
    id === undefined
      ? 'Expected documents that agents may change, found that the call would change one that is locked; nothing was written. Ask a person.'
      : `Expected a document that agents may change, found ${id}, which ${lockedBy} has locked; nothing was written. Ask a person to unlock it on its page.`,
  )
