/** Stores notes in a folder of Markdown files, with a journal of all changes. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { allPages, type Peer } from './peer.ts'

const vault = 'notes'
const path = (title: string): string => `${title}.md`

export const obsidian: Peer = {
  name: 'obsidian-mcp',
  from: { package: 'obsidian-mcp', version: '2.0.1' },
  script: 'dist/main.js',
  start: (folder) => ({ args: ['serve', '--vault', `${vault}=${join(folder, 'vault')}`] }),
  prepare: (folder) => void mkdirSync(join(folder, 'vault', '.obsidian'), { recursive: true }),
  bulk: { notesPerCall: 1, calls: 16 },
  note: '`obsidian_create_note`, `obsidian_read_note`, `obsidian_search_vault` (answers 50 matches), for lists the same by `filename`, 200 a page, `obsidian_edit_note`; one note a call, 16 calls under way',
  open: (call) => ({
    write: ([note]) => call('obsidian_create_note', { vault, path: path(note?.title ?? ''), content: note?.markdown }),
    read: (title) => call('obsidian_read_note', { vault, path: path(title) }),
    search: (word) => call('obsidian_search_vault', { vault, query: word }),
    list: () =>
      allPages(
        (cursor) =>
          call('obsidian_search_vault', {
            vault,
            query: '.md',
            mode: 'filename',
            limit: 200,
            ...(cursor !== undefined && { cursor }),
          }),
        ({ object }) => (object.data as { next_cursor?: string } | undefined)?.next_cursor,
      ),
    append: (title, line) =>
      call('obsidian_edit_note', { vault, path: path(title), operation: 'append', content: `\n\n${line}` }),
  }),
}
