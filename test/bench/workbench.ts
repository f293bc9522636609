/** Spaces for measurements: files in a temporary folder, written and read by the tools' own code. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import type { AccessLink, ConnectionKind } from '../../src/space/model/space.ts'
import { type OpenSpace, type OpenSpaceOptions, openDatabaseSpace, openSpace } from '../../src/space/open-space.ts'
import { isDatabaseAddress } from '../../storage/postgres/address.ts'
import { endpoints } from '../../tools/index.ts'

/** Creates a temporary folder, and deletes it after the work. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export interface Workbench {
  /** Calls a tool the same way as over the protocol. Returns an object or a text. */
  call<Answer>(tool: string, args: object): Promise<Answer>
  close(): Promise<void>
}

/** @param place  the file of a space, or its address in a database */
export async function openWorkbench(
  place: string,
  kind: ConnectionKind = 'full',
  options: OpenSpaceOptions = {},
): Promise<Workbench> {
  const open = isDatabaseAddress(place) ? openDatabaseSpace : openSpace
  const space = await open(place, { name: 'Bench', timezone: 'Europe/Budapest', ...options })
  return { call: callerOf(space, await space.createAccessLink(kind, [], 'bench')), close: () => space.close() }
}

/** Returns a function that makes calls on an open space over a link. */
export function callerOf(space: OpenSpace, link: AccessLink): Workbench['call'] {
  const tools = toolCatalogFor(endpoints, link.kind)
  return async <Answer>(tool: string, args: object) => {
    const answer = await runCall(tools.find(tool) ?? tools.get(tool), args, { space, link })
    return ('object' in answer ? answer.object : answer.text.body) as Answer
  }
}

/** Adds a document and returns its ID. */
export async function addDocument({ call }: Workbench, title: string): Promise<string> {
  const { items } = await call<{ items: { id: string }[] }>('documents_add', { documents: [{ title }] })
  return items[0]?.id ?? ''
}

/** Typical blocks of agents: most of them plain, some with formatting, links, list items, tasks, headings and code. */
export function newBlocks(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const make = MIXTURE[index % MIXTURE.length] ?? plain
    return make(index)
  })
}

const WORDS =
  'a space keeps documents and every document holds blocks which agents and people read move and change'.split(' ')
const words = (index: number, count: number) =>
  Array.from({ length: count }, (_, place) => WORDS[(index * 7 + place * (1 + (index % 5))) % WORDS.length]).join(' ')
const text = (markdown: string) => ({ type: 'text', markdown })

const plain = (index: number): object => text(`Line ${index} says that ${words(index, 18)}.`)
const MIXTURE: readonly ((index: number) => object)[] = [
  (index) => text(`## ${words(index, 4)}`),
  plain,
  plain,
  (index) =>
    text(`It is **${words(index, 2)}** and *${words(index, 1)}*, see [the page](https://example.org/${index}).`),
  (index) => text(`- ${words(index, 9)}`),
  (index) => text(`- ${words(index, 5)} with \`code_${index}\``),
  plain,
  (index) => text(`- [ ] ${words(index, 6)}`),
  (index) => text(`1. ${words(index, 8)}`),
  plain,
  (index) => ({ type: 'code', language: 'typescript', rawCode: `const a${index} = ${index}\nreturn a${index}` }),
  plain,
]
