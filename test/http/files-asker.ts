/** Uploads files to a server and lists what it stores. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { type Ask, type Serving, type ServingOptions, serveBuilt } from './serving.ts'

export interface FileServing extends Serving {
  /** The path of the space. Its files are in the folder with this name and the suffix `.files`. */
  path: string
  /** Returns the names of stored files and of files that are being written. */
  kept(): string[]
}

/** Starts a server for a space in a file of its own. */
export async function serveFiles(options: ServingOptions = {}): Promise<FileServing> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const path = join(folder, 'space.sqlite')
  const serving = await serveBuilt({ ...options, to: await buildSpace(path) })
  const kept = () =>
    existsSync(`${path}.files`)
      ? readdirSync(`${path}.files`, { recursive: true, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() ? entry.name : [],
        )
      : []
  return { ...serving, path, kept }
}

export interface Sent {
  status: number
  headers: Headers
  json: Answer
}

/** Sends bytes with a content type, or without one if it is empty. */
export async function send(
  method: 'POST' | 'PUT',
  url: string,
  body: Uint8Array | ReadableStream | null,
  type = 'application/octet-stream',
  more: Record<string, string> = {},
): Promise<Sent> {
  const headers = { ...(type !== '' && { 'content-type': type }), ...more }
  const response = await fetch(url, { method, headers, body, duplex: 'half' } as RequestInit)
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
}

/** Returns the content of a block over REST. */
export async function contentAt({ ask }: { ask: Ask }, query: string): Promise<Answer[]> {
  return (await ask(`GET /blocks?${query}`)).json.content ?? []
}
