/**
 * Public test collections with relevance judgments: Cranfield and CISI, abstracts in the format of SMART, and BEAM,
 * conversations with questions about them (https://github.com/mohammadtavakoli78/BEAM).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface JudgedCollection {
  name: string
  documents: readonly { title: string; markdown: string }[]
  questions: readonly { text: string; relevant: readonly number[] }[]
}

/** @param folder  contains the files of both collections under their usual names */
export function readCollections(folder: string): JudgedCollection[] {
  const read = (file: string): string => readFileSync(join(folder, file), 'latin1')
  return [
    // Cranfield's judgments number the questions from 1 on, no matter what the file of questions says. Codes 1 to 4
    // mean relevant.
    collection(
      'Cranfield',
      read('cran.all'),
      read('cran.qry'),
      judgements(read('cranqrel'), (code) => code > 0),
      true,
    ),
    collection(
      'CISI',
      read('CISI.ALL'),
      read('CISI.QRY'),
      judgements(read('CISI.REL'), () => true),
      false,
    ),
  ]
}

/** A message of a conversation. Some say after an arrow where they were planned. */
interface Message {
  id: number
  content: string
}

/**
 * Reads the conversations of BEAM, each with a document for each turn. Questions without an answer are left out.
 *
 * @param folder  may contain the folder `beam` with `N/chat.json` and `N/probing_questions.json`, as `chats/100K` has them
 * @returns none without that folder
 */
export function readConversations(folder: string): JudgedCollection[] {
  const all = join(folder, 'beam')
  if (!existsSync(all)) return []
  return readdirSync(all).map((name) => {
    const read = (file: string) => JSON.parse(readFileSync(join(all, name, file), 'utf8'))
    const turns = (read('chat.json') as { turns: Message[][] }[]).flatMap((batch) => batch.turns)
    const numberOf = new Map(turns.flatMap((turn, index) => turn.map(({ id }) => [id, index + 1] as const)))
    const asked = Object.values(read('probing_questions.json')).flat() as {
      question: string
      source_chat_ids?: unknown
    }[]
    return {
      name: `conversation ${name}`,
      documents: turns.map((turn, index) => ({
        title: String(index + 1),
        markdown: turn.map(({ content }) => content.replace(/->->.*$/, '')).join('\n\n'),
      })),
      questions: asked.flatMap(({ question, source_chat_ids }) => {
        const relevant = [...new Set(numbersIn(source_chat_ids).flatMap((id) => numberOf.get(id) ?? []))]
        return relevant.length === 0 ? [] : [{ text: question, relevant }]
      }),
    }
  })
}

/** All numbers in lists and objects of any depth. */
const numbersIn = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : typeof value === 'object' ? Object.values(value ?? {}).flatMap(numbersIn) : []

function collection(
  name: string,
  documents: string,
  questions: string,
  relevant: ReadonlyMap<number, number[]>,
  isNumberedByPlace: boolean,
): JudgedCollection {
  return {
    name,
    documents: records(documents).map(({ T = '', W = '' }) => ({ title: oneLine(T), markdown: paragraphs(W) })),
    questions: records(questions).flatMap(({ I = '', W = '' }, index) => {
      const judged = relevant.get(isNumberedByPlace ? index + 1 : Number(I))
      return judged === undefined ? [] : [{ text: oneLine(W), relevant: judged }]
    }),
  }
}

/** Parses records and their fields: `.I` begins a record, and a line with a dot and another letter begins a field. */
function records(text: string): Record<string, string>[] {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const [number = '', ...fields] = record.split(/^\.([A-Z])\s*$/m)
      const found: Record<string, string> = { I: number.trim() }
      for (let at = 0; at + 1 < fields.length; at += 2) found[fields[at] as string] ??= fields[at + 1] ?? ''
      return found
    })
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A line that begins with spaces begins a paragraph. */
const paragraphs = (text: string): string =>
  text
    .split(/\n(?=\s{2,}\S)/)
    .map((paragraph) => oneLine(paragraph).replace(/([\\`*_{}[\]<>#+!|~$=-])/g, '\\$1'))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')

/** Parses lines of question, document and code. */
function judgements(text: string, isRelevant: (code: number) => boolean): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const line of text.split('\n')) {
    const [question = 0, document = 0, code = 1] = line.trim().split(/\s+/).map(Number)
    if (question > 0 && isRelevant(code || 1)) found.set(question, [...(found.get(question) ?? []), document])
  }
  return found
}
