/**
 * Skills of the extension io.modelcontextprotocol/skills. A connection has those whose tools it has. Source:
 * https://modelcontextprotocol.io/seps/2640-skills-extension
 */
import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Skill as SkillEntry } from '@modelcontextprotocol/server/ext/skills'
import { z } from 'zod'
import type { Skill } from '../server-catalog.ts'
import { INVALID_PARAMS, type ProgramResources, toProtocolError } from './mcp-resources.ts'

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

const SCHEME = 'skill://'
const FILE = 'SKILL.md'
const SHOWN_CHARACTERS = 200

export interface SkillOptions {
  skills(): Promise<readonly Skill[]>
  /** Returns a function that checks whether the requesting connection may use a tool. */
  toolFilter(context: unknown): Promise<(tool: string) => boolean>
  /** Fields that say how long clients may cache the response, if their revision of the protocol has them. */
  cacheFields: object
  log: (line: string) => void
}

/** Handles requests for skills. @returns their files as resources */
export function registerSkills(server: Server, options: SkillOptions): ProgramResources {
  const { skills, toolFilter, cacheFields, log } = options
  const available = async (context: unknown): Promise<ServedSkill[]> => {
    const hasTool = await toolFilter(context)
    return Promise.all((await skills()).filter(({ tools }) => tools.every(hasTool)).map(serveSkill))
  }
  const answer = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    work().catch((error) => {
      throw toProtocolError(error, log)
    })
  server.setRequestHandler('skills/list', { params: z.looseObject({}) }, (_, context) =>
    answer(async () => ({ skills: (await available(context)).map(({ entry }) => entry), ...cacheFields })),
  )
  server.setRequestHandler('skills/get', { params: z.looseObject({ uri: z.string() }) }, ({ uri }, context) =>
    answer(async () => {
      const served = await available(context)
      const found = served.find(({ entry }) => entry.uri === uri)
      if (found === undefined) throw new ProtocolError(INVALID_PARAMS, notServed(uri, served))
      return { skill: found.entry, ...cacheFields }
    }),
  )
  return {
    isAddress: (uri) => uri.startsWith(SCHEME),
    async list(context) {
      return (await available(context)).map(({ entry, title, text }) => ({
        uri: entry.uri,
        name: entry.frontmatter.name,
        title,
        description: entry.frontmatter.description,
        mimeType: MIME_TYPE,
        size: Buffer.byteLength(text),
      }))
    },
    async read(uri, context) {
      const served = await available(context)
      const found = served.find(({ entry }) => entry.uri === uri)
      if (found === undefined) throw new ResourceNotFoundError(uri.slice(0, SHOWN_CHARACTERS), notServed(uri, served))
      return { mimeType: MIME_TYPE, text: found.text }
    },
  }
}

const MIME_TYPE = 'text/markdown'

interface ServedSkill {
  entry: SkillEntry
  title: string
  text: string
}

/** Skills are part of the program, so the files built from them are cached. */
const servedSkills = new WeakMap<Skill, Promise<ServedSkill>>()

function serveSkill(skill: Skill): Promise<ServedSkill> {
  const known = servedSkills.get(skill) ?? readSkill(skill)
  servedSkills.set(skill, known)
  return known
}

async function readSkill({ name, title, markdown }: Skill): Promise<ServedSkill> {
  const [text, { skillEntry }] = await Promise.all([markdown(), import('@modelcontextprotocol/server/ext/skills')])
  return { entry: await skillEntry(name, { [FILE]: text }), title, text }
}

function notServed(uri: string, served: readonly ServedSkill[]): string {
  const found = uri.slice(0, SHOWN_CHARACTERS)
  const addresses = served.map(({ entry }) => entry.uri).join(', ')
  return addresses === ''
    ? `Expected the address of a skill of this connection, which has none, found ${found}.`
    : `Expected the address of a skill of this connection (${addresses}), found ${found}.`
}
