/**
 * Finds oddities in Markdown that a call writes. The text is written as it was sent, but the answer points out the
 * oddity because it is hardly what the caller meant.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import { runCooperatively, type Steps } from '../../base/scheduling.ts'
import { BLOCK_SCHEME, DATE_SCHEME } from '../../markdown/addresses.ts'
import { validateDate } from './dates.ts'
import { readSpelledId } from './ids.ts'

/** The maximum number of notes in one answer. If many texts have something wrong, it is most likely the same thing. */
const MAX_NOTES = 5
/** Entries that are checked in one step. */
const ENTRIES_PER_STEP = 64

/** @returns one sentence per oddity; undefined if there is none */
export async function textNotes(callArguments: unknown): Promise<string | undefined> {
  const notes = await runCooperatively(findNotes(callArguments))
  return notes.length > 0 ? notes.slice(0, MAX_NOTES).join(' ') : undefined
}

function* findNotes(callArguments: unknown): Steps<string[]> {
  const notes: string[] = []
  const stack: [path: string, value: unknown][] = [['', callArguments]]
  for (let looked = 0; stack.length > 0 && notes.length < MAX_NOTES; looked++) {
    if (looked % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield
    const [path, value] = stack.pop() as [string, unknown]
    if (Array.isArray(value)) {
      for (const [index, entry] of [...value.entries()].reverse()) stack.push([`${path}[${index}]`, entry])
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value).reverse()) {
        const inner = path === '' ? key : `${path}.${key}`
        if (typeof entry !== 'string') stack.push([inner, entry])
        else if (key === 'markdown') notes.push(...markdownNotes(inner, entry))
      }
    }
  }
  return notes
}

/** A backslash and an n that is not followed by a lower-case letter, as it would be in LaTeX or in a path. */
const ESCAPED_LINE_END = /\\n(?![a-z])/
const LINK = /\]\((date|block):\/\/([^\s()<>]*)/gi

function markdownNotes(path: string, markdown: string): string[] {
  const notes: string[] = []
  if (!markdown.includes('\n') && ESCAPED_LINE_END.test(markdown)) {
    notes.push(
      `${path} has a backslash and an n in place of line ends, and was written as it was sent; send real line ends.`,
    )
  }
  if (!markdown.includes('://')) return notes
  for (const [, scheme = '', target = ''] of markdown.matchAll(LINK)) {
    const note = scheme.toLowerCase() === 'date' ? dayNote(target) : blockNote(target)
    if (note !== undefined) notes.push(`${path}: ${note}`)
    if (notes.length >= MAX_NOTES) break
  }
  return notes
}

function dayNote(target: string): string | undefined {
  try {
    validateDate(target)
    return undefined
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    return `${DATE_SCHEME}${target} leads nowhere. ${error.message}`
  }
}

const blockNote = (target: string): string | undefined =>
  readSpelledId(target).kind === 'unknown'
    ? `${BLOCK_SCHEME}${target} leads nowhere, since that is no ID; give the ID of a block.`
    : undefined
