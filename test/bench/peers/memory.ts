/** Stores entities with observations in one file of JSON lines. */
import { join } from 'node:path'
import { asEntity } from './libsql.ts'
import type { Peer } from './peer.ts'

export const memory: Peer = {
  name: 'server-memory',
  from: { package: '@modelcontextprotocol/server-memory', version: '2026.8.31' },
  script: 'dist/index.js',
  start: (folder) => ({ args: [], env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } }),
  bulk: { notesPerCall: 1_000, calls: 1 },
  note: 'a note is an entity with one observation: `create_entities` (any number a call), `open_nodes`, `search_nodes` (a scan for substrings; answers all that match, whole), `read_graph` (all, whole), `add_observations`',
  open: (call) => ({
    write: (notes) => call('create_entities', { entities: notes.map(asEntity) }),
    read: (title) => call('open_nodes', { names: [title] }),
    search: (word) => call('search_nodes', { query: word }),
    list: () => call('read_graph', {}),
    append: (title, line) => call('add_observations', { observations: [{ entityName: title, contents: [line] }] }),
  }),
}
