/** Notes of 2 KB, the same in every run. */

export interface Note {
  title: string
  markdown: string
}

/** A word that occurs in every note, and a word that occurs in only one. */
export const COMMON = 'harbour'
export const RARE = 'quincunx'

const BYTES = 2_048

const WORDS =
  'plan letter meeting draft figure answer summer price engine garden report window number question budget signal paper morning change order river team market table copy'.split(
    ' ',
  )

const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, place) => WORDS[(seed * 7 + place * (1 + (seed % 11))) % WORDS.length]).join(' ')

/** @param rare  true if it contains the rare word */
export function noteOf(title: string, seed: number, rare = false): Note {
  const lines = [
    `The ${COMMON} plan of ${title.toLowerCase()}: ${words(seed, 18)}.`,
    '## What was said',
    `${rare ? `A ${RARE} stands here. ` : ''}It is **${words(seed + 1, 3)}** and *${words(seed + 2, 2)}*, see [the page](https://example.org/${seed}).`,
    ...Array.from({ length: 4 }, (_, line) => `- ${words(seed + line, 9)}`),
    '## What is to be done',
    ...Array.from({ length: 3 }, (_, line) => `- [ ] ${words(seed + line + 5, 7)}`),
  ]
  const head = lines.join('\n\n').replaceAll(/(\n- .*)\n(?=\n- )/g, '$1')
  const rest: string[] = []
  for (let line = 0; [head, ...rest].join('\n\n').length < BYTES; line++) rest.push(`${words(seed + line, 40)}.`)
  return { title, markdown: `${[head, ...rest].join('\n\n').slice(0, BYTES - 1)}.` }
}

/** The notes of one store. The one in the middle contains the rare word. */
export const notesOf = (count: number): Note[] =>
  Array.from({ length: count }, (_, index) => noteOf(titleOf(index), index, index === Math.floor(count / 2)))

export const titleOf = (index: number): string => `Note ${String(index).padStart(5, '0')}`
