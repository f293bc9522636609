/** This server, in the form in which npm installs it. */
import { join } from 'node:path'
import { allPages, type Peer } from './peer.ts'

const WITHOUT_LIMITS = ['--limit-requests', '0', '--limit-blocks', '0']

export const scriptorium: Peer = {
  name: 'scriptorium',
  script: 'dist/start.js',
  start: (folder) => ({ args: ['stdio', '--space', join(folder, 'space.sqlite'), '--no-welcome', ...WITHOUT_LIMITS] }),
  bulk: { notesPerCall: 250, calls: 2 },
  note: 'notes are documents (250 a call, 2 calls under way): `documents_add`, `blocks_get`, `documents_search` and `documents_list` as Markdown, `blocks_add`',
  open: (call, ids) => ({
    async write(notes) {
      const answer = await call('documents_add', { documents: notes, answer: 'ids' })
      const made = answer.object.items as { id: string }[]
      for (const [index, { id }] of made.entries()) ids.set(notes[index]?.title ?? '', id)
      return answer
    },
    read: (title) => call('blocks_get', { id: ids.get(title), format: 'markdown' }),
    search: (word) => call('documents_search', { include: [word], format: 'markdown' }),
    list: () =>
      allPages(
        (cursor) =>
          call('documents_list', { limit: 1_000, format: 'markdown', ...(cursor !== undefined && { cursor }) }),
        ({ text }) => /cursor "([^"]+)"\.$/.exec(text)?.[1],
      ),
    append: (title, line) =>
      call('blocks_add', { markdown: line, position: { position: 'end', pageId: ids.get(title) }, answer: 'ids' }),
  }),
}
