/** The clients, in the order of the report. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installed } from '../../installed.ts'
import { aiSdk } from './ai-sdk.ts'
import type { HostClient, Load, Packages } from './client.ts'
import { inspector } from './inspector.ts'
import { langchain } from './langchain.ts'
import { mastra } from './mastra.ts'
import { openaiAgents } from './openai-agents.ts'
import { sdk1, sdk2Of2025, sdk2Of2026 } from './sdk.ts'

/** The clients made by the authors of the protocol, which are quick and need few packages. */
export const OFFICIAL: readonly HostClient[] = [sdk1, sdk2Of2025, sdk2Of2026, inspector]

export const CLIENTS: readonly HostClient[] = [...OFFICIAL, langchain, aiSdk, mastra, openaiAgents]

/** A module in the folder, which can import the packages installed next to it. */
const LOADER = 'load.mjs'

/** Installs the packages of these clients and returns the folder. */
export const installClients = (clients: readonly HostClient[]): Promise<string> =>
  installed(Object.assign({}, ...clients.map(({ packages }) => packages)), {
    [LOADER]: 'export const load = (name) => import(name)\n',
  })

export async function packagesIn(folder: string): Promise<Packages> {
  const { load } = (await import(pathToFileURL(join(folder, LOADER)).href)) as { load: Load }
  return { folder, load }
}
