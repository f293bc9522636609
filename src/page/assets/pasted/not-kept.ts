/** What could not be pasted, in sentences for the person who pastes. */
import type { PastedLoss } from '../../../html/pasted/convert-pasted.ts'
import { count } from '../page-text.ts'

export const notKeptSentences = (losses: ReadonlyMap<PastedLoss, number>): string[] =>
  [...losses].map(([loss, times]) => SENTENCES[loss](times))

const SENTENCES: Readonly<Record<PastedLoss, (times: number) => string>> = {
  unsafeAddress: (times) =>
    count(times, {
      one: '{n} link that would run a program is only text now.',
      other: '{n} links that would run a program are only text now.',
    }),
  deadAddress: (times) =>
    count(times, {
      one: '{n} link to a file or a part of another site is only text now.',
      other: '{n} links to a file or a part of another site are only text now.',
    }),
  missingPicture: (times) =>
    count(times, {
      one: '{n} picture could not be pasted. Copy it by itself, or add it as a file.',
      other: '{n} pictures could not be pasted. Copy each one by itself, or add it as a file.',
    }),
  pictureLink: (times) =>
    count(times, {
      one: '{n} link around a picture could not be pasted.',
      other: '{n} links around a picture could not be pasted.',
    }),
  drawing: (times) =>
    count(times, { one: '{n} drawing could not be pasted.', other: '{n} drawings could not be pasted.' }),
  frame: (times) =>
    count(times, { one: '{n} embedded page is a link now.', other: '{n} embedded pages are links now.' }),
  missingFrame: (times) =>
    count(times, { one: '{n} embedded page could not be pasted.', other: '{n} embedded pages could not be pasted.' }),
  letter: (times) =>
    count(times, {
      one: '{n} item of a list has a number instead of a letter now.',
      other: '{n} items of lists have numbers instead of letters now.',
    }),
  heading: (times) =>
    count(times, {
      one: '{n} heading below the fourth level is of the fourth now.',
      other: '{n} headings below the fourth level are of the fourth now.',
    }),
}
