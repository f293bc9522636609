/** Real Markdown: the README files of the installed packages. */
import { join } from 'node:path'
import { findReadmes } from '../demo/readmes.ts'

/** Each with its name, for error messages. */
export const readmes = (): { title: string; markdown: string }[] =>
  findReadmes(join(import.meta.dirname, '../../node_modules'))
