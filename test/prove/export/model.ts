/** What must come of edits in a folder and in its space. */

/** A document, as it is in the space or as its note has it. */
export interface State {
  title: string
  /** The name of its folder; empty for the top level. */
  folder: string
  lines: string[]
}

export interface Present {
  id: string
  /** When it was exported. */
  before: State
  /** Now; undefined if it is in the trash, or its file is deleted. */
  here: State | undefined
  file: State | undefined
}

export interface Expected {
  documents: State[]
  /** Paths of notes that are conflicts, and of those that are gone. */
  conflicts: Set<string>
  gone: Set<string>
}

export function expectedAfter(documents: readonly Present[], deletes: boolean): Expected {
  const expected: Expected = { documents: [], conflicts: new Set(), gone: new Set() }
  for (const document of documents) {
    const found = merged(document, deletes, expected)
    if (found !== undefined) expected.documents.push(found)
  }
  return expected
}

function merged({ before, here, file }: Present, deletes: boolean, { conflicts, gone }: Expected): State | undefined {
  const path = pathOf(file ?? before)
  if (file === undefined) {
    if (here === undefined) return undefined
    const isChanged = !isSameText(before, here)
    if (!deletes) gone.add(path)
    else if (isChanged) conflicts.add(path)
    return deletes && !isChanged ? undefined : here
  }
  const [isEdited, isMoved] = [!isSameText(before, file), file.folder !== before.folder]
  if (here === undefined) {
    if (isEdited || isMoved) conflicts.add(path)
    return undefined
  }
  const isTextInConflict = isEdited && !isSameText(before, here) && !isSameText(file, here)
  const isPlaceInConflict = isMoved && here.folder !== before.folder && here.folder !== file.folder
  if (isTextInConflict || isPlaceInConflict) {
    conflicts.add(path)
    return here
  }
  const text = isEdited ? file : here
  return { ...text, folder: isMoved ? file.folder : here.folder }
}

const isSameText = (one: State, other: State): boolean =>
  one.title === other.title && one.lines.join('\n') === other.lines.join('\n')

export const pathOf = ({ title, folder }: State): string => `${folder === '' ? '' : `${folder}/`}${title}.md`
