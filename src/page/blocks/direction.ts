/** The direction in which the text of blocks runs. */

/** The `dir` of a block: that of its first letter, except for code and for tables whose columns have English controls. */
export const directionOf = ({ type }: { type: string }): 'auto' | 'ltr' =>
  type === 'code' || type === 'collection' ? 'ltr' : 'auto'

const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** True if the first letter of a text belongs to a script that is written from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)
