/** Public test collections of abstracts with relevance judgments, in the format of SMART: Cranfield and CISI. */
import { readFileSync } from 'node:fs'
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
