/** Reads the items of a Joplin export: notes, notebooks, resources and tags, each in a file of its own. */
import { IMPORT_DEPTH } from '../../base/limits.ts'
import { baseName, type SourceFile } from '../import-source.ts'

export interface JoplinItem {
  file: SourceFile
  id: string
  title: string
  type: string
  fields: ReadonlyMap<string, string>
}

const ITEM = /^[0-9a-f]{32}\.md$/
/** The types of items that an export contains. */
export const [NOTE, NOTEBOOK, RESOURCE, TAG, NOTE_TAG] = ['1', '2', '4', '5', '6'] as const

export const isItemName = (path: string): boolean => ITEM.test(baseName(path))

/** Reads the fields at the end of an item. @returns undefined if it is none */
export function readItem(
  file: SourceFile,
  text: string,
): (JoplinItem & { body: string; bodyLine: number }) | undefined {
  const lines = text.replace(/\n+$/, '').split('\n')
  const fields = new Map<string, string>()
  let start = lines.length
  for (; start > 0 && lines[start - 1] !== ''; start--) {
    const [, name, value = ''] = /^([a-z_]+): ?(.*)$/.exec(lines[start - 1] ?? '') ?? []
    if (name === undefined) return undefined
    if (!fields.has(name)) fields.set(name, value.replaceAll('\\n', '\n').trim())
  }
  const [id, type] = [fields.get('id'), fields.get('type_')]
  if (id === undefined || type === undefined) return undefined
  // Between the title and the body, and before the fields, there is one blank line each.
  const title = start > 0 ? (lines[0] ?? '') : ''
  return { file, id, type, fields, title: title.trim(), body: lines.slice(2, start - 1).join('\n'), bodyLine: 3 }
}

/** The names of the notebooks that an item is in, outermost first. */
export function notebookPath(item: JoplinItem, notebooks: ReadonlyMap<string, JoplinItem>): string[] {
  const names: string[] = []
  const seen = new Set<JoplinItem>()
  for (let parent = notebooks.get(item.fields.get('parent_id') ?? ''); parent !== undefined; ) {
    if (seen.has(parent) || seen.size >= IMPORT_DEPTH) break
    seen.add(parent)
    names.unshift(parent.title || 'Untitled')
    parent = notebooks.get(parent.fields.get('parent_id') ?? '')
  }
  return names
}

/** A time in milliseconds since 1970. Joplin writes it as text, or as a number where 0 is none. */
export function timeOf(item: JoplinItem, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = item.fields.get(name) ?? ''
    const time = /^\d+$/.test(value) ? Number(value) : Date.parse(value)
    if (Number.isFinite(time) && time > 0 && time < LAST_TIME) return time
  }
  return undefined
}

/** The end of the year 9999. */
const LAST_TIME = 253_402_300_800_000
