/** Random texts in their normal form. */
import type { Chooser } from './chooser.ts'

const WORDS =
  'amber basin candle delta ember fjord garden harbor island jasmine kettle lantern meadow nectar orchard pebble quartz river saffron timber umber valley willow yarrow zephyr'.split(
    ' ',
  )

export const word = (chooser: Chooser): string => chooser.one(WORDS)

/** Plain text for titles and names. */
export const title = (chooser: Chooser): string => chooser.times(3, () => word(chooser)).join(' ')

/** A sentence with some formatting. The first word is plain. */
export function sentence(chooser: Chooser): string {
  const more = chooser.once(3) ? [] : chooser.times(4, () => marked(chooser, word(chooser)))
  return [word(chooser), ...more].join(' ')
}

function marked(chooser: Chooser, text: string): string {
  const kind = chooser.number(12)
  if (kind === 0) return `**${text}**`
  if (kind === 1) return `*${text}*`
  if (kind === 2) return `\`${text}\``
  return kind === 3 ? `[${text}](https://example.org/${chooser.number(9)})` : text
}

const STARTS = ['', '', '', '- ', '1. ', '+ ', '- [ ] ', '- [x] ', '- [-] ', '> ', '# ', '## ', '#### ']

/** One block of Markdown. */
export const line = (chooser: Chooser): string => chooser.one(STARTS) + sentence(chooser)

/** Several blocks of Markdown. */
export const text = (chooser: Chooser, most = 4): string =>
  chooser.times(most, () => (chooser.once(12) ? chooser.one(['*****', '***', '******']) : line(chooser))).join('\n\n')

const DAYS = ['today', 'today', 'tomorrow', 'yesterday', '2026-11-20', '2026-11-23', '2026-12-01', '2027-01-31']

export const day = (chooser: Chooser): string => (chooser.once(40) ? '2026-02-30' : chooser.one(DAYS))
