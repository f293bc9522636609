/**
 * Finds unusual forms in Markdown that a call writes. The text is written as it was sent, but the answer points out the
 * oddity because it is hardly what the caller meant.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import { DATE_SCHEME, isPersonAddress, OUT_OF_SCOPE_ADDRESS } from '../../markdown/addresses.ts'
import { validateDate } from './dates.ts'
import { readSpelledId } from './ids.ts'

/** The maximum number of notes in one answer. If many texts have something wrong, it is most likely the same thing. */
const MAX_NOTES = 5
/** Entries that are checked in one step. */
const ENTRIES_PER_STEP = 64

/** The address of a block in a text, and where the text is. */
interface LinkPlace {
  path: string
  url: string
}

/**
 * @param findOutOfScope  returns those of the addresses of blocks that the connection will see as
 *   `invalid:out_of_scope`
 * @returns one sentence per oddity; undefined if there is none
 */
export async function textNotes(
  callArguments: unknown,
  findOutOfScope: (urls: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string | undefined> {
  const found = await runCooperatively(findNotes(callArguments))
  const urls = new Set(found.flatMap((one) => (typeof one === 'string' ? [] : one.url)))
  const outOfScope = urls.size === 0 ? urls : await findOutOfScope([...urls])
  const notes = found.flatMap((one) => {
    if (typeof one === 'string') return one
    return outOfScope.has(one.url) ? outOfScopeNote(one) : []
  })
  return notes.length > 0 ? [...new Set(notes)].slice(0, MAX_NOTES).join(' ') : undefined
}

const outOfScopeNote = ({ path, url }: LinkPlace): string =>
  `${path}: ${url} leads to nothing that this connection reaches, and is shown as ${OUT_OF_SCOPE_ADDRESS}; ${isPersonAddress(url) ? 'connection_get lists the members' : 'give the ID of a block of this space'}.`

function* findNotes(callArguments: unknown): Steps<(string | LinkPlace)[]> {
  const found: (string | LinkPlace)[] = []
  let notes = 0
  const stack: { path: string; key: string; value: unknown }[] = [{ path: '', key: '', value: callArguments }]
  for (let count = 1; notes < MAX_NOTES; count++) {
    if (count % ENTRIES_PER_STEP === 0) yield
    const entry = stack.pop()
    if (entry === undefined) break
    const { path, key, value } = entry
    if (typeof value === 'string') {
      const inMarkdown = key === 'markdown' ? markdownNotes(path, value) : []
      notes += inMarkdown.length
      for (const one of [...inMarkdown, ...linkPlaces(path, key, value)]) found.push(one)
    } else if (Array.isArray(value)) {
      for (const [index, inner] of [...value.entries()].reverse()) {
        stack.push({ path: `${path}[${index}]`, key: '', value: inner })
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value).reverse()) {
        stack.push({ path: path === '' ? name : `${path}.${name}`, key: name, value: inner })
      }
    }
  }
  return found
}

/** Inputs that are no text with links: addresses by themselves, and code. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['url', 'rawCode'])
const SCHEMES = '(?:(?:block|person):/{0,3}|scriptorium://(?:documents|whiteboards)/)[\\w%-]{8,}'
/** As addresses of blocks are found to be shown: in Markdown the targets of links, in other texts all. */
const IN_MARKDOWN = new RegExp(`(?:\\]\\(\\s*<?|<)(${SCHEMES})`, 'gi')
const IN_PLAIN_TEXT = new RegExp(`\\b(${SCHEMES})`, 'gi')

function linkPlaces(path: string, key: string, text: string): LinkPlace[] {
  if (WITHOUT_LINKS.has(key) || !text.includes(':')) return []
  const links = text.matchAll(key === 'markdown' ? IN_MARKDOWN : IN_PLAIN_TEXT)
  return Array.from(links, ([, url = '']) => ({ path, url })).filter(({ url }) => readSpelledId(url).kind !== 'unknown')
}

/** A backslash and an n that is not followed by a lower-case letter, as it would be in LaTeX or in a path. */
const ESCAPED_LINE_END = /\\n(?![a-z])/
const LINK = /\]\((date|block|person):\/\/([^\s()<>]*)/gi

function markdownNotes(path: string, markdown: string): string[] {
  const notes: string[] = []
  if (!markdown.includes('\n') && ESCAPED_LINE_END.test(markdown)) {
    notes.push(
      `${path} has a backslash and an n in place of line ends, and was written as it was sent; send real line ends.`,
    )
  }
  if (!markdown.includes('://')) return notes
  for (const [, scheme = '', target = ''] of markdown.matchAll(LINK)) {
    const note = scheme.toLowerCase() === 'date' ? dayNote(target) : idNote(scheme.toLowerCase(), target)
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

const idNote = (scheme: string, target: string): string | undefined =>
  readSpelledId(target).kind === 'unknown'
    ? `${scheme}://${target} leads nowhere, since that is no ID; give the ID of a ${scheme === 'person' ? 'member' : 'block'}.`
    : undefined
