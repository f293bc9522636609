/**
 * Marks in the text of a note carry information about blocks through the Markdown parser, which treats them like
 * letters: that links lead to a block, or that it had a comment. They consist of Unicode noncharacters, which texts for
 * interchange do not contain.
 */

const OPEN = '\uFDD0'
const CLOSE = '\uFDD1'
const MARK = new RegExp(` ?${OPEN}(\\d+)${CLOSE}`, 'g')

export const hasMarks = (text: string): boolean => text.includes(OPEN)

/** Replaces characters in a text that could be mistaken for marks. */
export const withoutMarks = (text: string): string => text.replace(/[\uFDD0\uFDD1]/g, '\uFFFD')

/** Writes a mark with a space before it, since a letter next to a `_` could change its meaning. */
export const writeMark = (number: number): string => ` ${OPEN}${number}${CLOSE}`

/** Removes the marks from a text and returns their numbers. */
export function extractMarks(text: string): { text: string; numbers: number[] } {
  const numbers: number[] = []
  const rest = text.replace(MARK, (_, number: string) => {
    numbers.push(Number(number))
    return ''
  })
  return { text: rest, numbers }
}
