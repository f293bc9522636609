/** Stores notes in a folder of Markdown files. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Peer } from './peer.ts'

const path = (title: string): string => `${title}.md`

export const mcpvault: Peer = {
  name: 'mcpvault',
  from: { package: '@bitbonsai/mcpvault', version: '0.16.0' },
  script: 'dist/server.js',
  start: (folder) => ({ args: [join(folder, 'vault')] }),
  prepare: (folder) => void mkdirSync(join(folder, 'vault', '.obsidian'), { recursive: true }),
  bulk: { notesPerCall: 1, calls: 16 },
  note: '`write_note`, `read_note`, `search_notes` (answers 5), `list_directory`, `write_note` with mode `append`; one note a call, 16 calls under way',
  open: (call) => ({
    write: ([note]) => call('write_note', { path: path(note?.title ?? ''), content: note?.markdown }),
    read: (title) => call('read_note', { path: path(title) }),
    search: (word) => call('search_notes', { query: word }),
    list: () => call('list_directory', { path: '/' }),
    append: (title, line) => call('write_note', { path: path(title), content: `\n\n${line}`, mode: 'append' }),
  }),
}
