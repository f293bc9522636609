/** The title of a page as content of an editor, and back. */
import type { Fragment } from 'prosemirror-model'
import { readTitle, type Title, writeTitle } from '../../../markdown/inline-title.ts'
import { readContent, writeContent } from '../model/inline-nodes.ts'

/** @param title  whose marks may overlap */
export const contentOfTitle = (title: Title): Fragment => readContent(writeTitle(title))

/** The title that is written in the editor, without white space around it. */
export const titleOfContent = (content: Fragment): Title => readTitle(writeContent(content))

/** Compares the characters and their marks. */
export const isSameTitle = (one: Title, other: Title): boolean =>
  one.value === other.value && marksOf(one) === marksOf(other)

/** In any order, also of more marks than can be written: the server refuses those, and says why. */
const marksOf = ({ attributes }: Title): string =>
  attributes
    .map((attribute) => JSON.stringify(Object.entries(attribute).sort(([one], [other]) => (one < other ? -1 : 1))))
    .sort()
    .join()
