/** Real Markdown: the README files of the packages that are installed. */
import { join } from 'node:path'
import { findReadmes } from '../demo/readmes.ts'

/** Each with its name, for the message when one fails. */
export const readmes = (): { title: string; markdown: string }[] =>
  findReadmes(join(import.meta.dirname, '../../node_modules'))
