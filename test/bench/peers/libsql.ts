/** Stores entities with observations in libSQL. */
import { join } from 'node:path'
import type { Peer } from './peer.ts'

export const libsql: Peer = {
  name: 'mcp-memory-libsql',
  from: { package: 'mcp-memory-libsql', version: '0.0.17' },
  script: 'dist/index.js',
  start: (folder) => ({ args: [], env: { LIBSQL_URL: `file:${join(folder, 'memory.db')}` } }),
  bulk: { notesPerCall: 50, calls: 1 },
  note: 'a note is an entity with one observation: `create_entities` (50 a call), `search_nodes` (by the name to read; answers 10), `read_graph`, which has the 10 latest whole, since nothing lists; nothing appends',
  open: (call) => ({
    write: (notes) => call('create_entities', { entities: notes.map(asEntity) }),
    read: (title) => call('search_nodes', { query: title, limit: 1 }),
    search: (word) => call('search_nodes', { query: word }),
    list: () => call('read_graph', {}),
  }),
}

export const asEntity = ({ title, markdown }: { title: string; markdown: string }) => ({
  name: title,
  entityType: 'note',
  observations: [markdown],
})
