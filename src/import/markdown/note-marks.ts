/**
 * Marks that go through the Markdown reader as letters do, and say of a block what its text cannot: that links lead to
 * it, or that a comment stood there. They are noncharacters of Unicode, which no text has for others to read.
 */

const OPEN = '\uFDD0'
const CLOSE = '\uFDD1'
const MARK = new RegExp(` ?${OPEN}(\\d+)${CLOSE}`, 'g')

export const hasMarks = (text: string): boolean => text.includes(OPEN)

/** A text in which nothing looks like a mark. */
export const withoutMarks = (text: string): string => text.replace(/[\uFDD0\uFDD1]/g, '\uFFFD')

/** With a space before it, since a letter beside a `_` would change what that means. */
export const writeMark = (number: number): string => ` ${OPEN}${number}${CLOSE}`

/** The text without its marks, and their numbers. */
export function takeMarks(text: string): { text: string; numbers: number[] } {
  const numbers: number[] = []
  const rest = text.replace(MARK, (_, number: string) => {
    numbers.push(Number(number))
    return ''
  })
  return { text: rest, numbers }
}
