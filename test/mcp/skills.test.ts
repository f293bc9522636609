/** Skills of the protocol's extension, with the SDK's client for it, which verifies what it reads. */
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { prompts, skills } from '../../tools/index.ts'
import { type ConnectOptions, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt } from '../http/serving.ts'

const ALL = ['scriptorium', 'weekly-review', 'meeting-notes', 'research-notebook', 'project-board']
const addressOf = (name: string) => `skill://${name}/SKILL.md`

const connectSkills = async (kind: 'full' | 'selected' | 'daily' = 'full', options: ConnectOptions = {}) => {
  const { client } = await connect(kind, options)
  return { client, skills: new SkillsClient(client) }
}

const namesOn = async (kind: 'full' | 'selected' | 'daily', options: ConnectOptions = {}): Promise<string[]> => {
  const listing = await (await connectSkills(kind, options)).skills.list()
  return listing.skills.map(({ frontmatter }) => frontmatter.name)
}

describe.each(['2025', '2026'] as const)('a client of %s', (era) => {
  test('lists the skills, and reads and verifies each', async () => {
    const { client, skills: client_ } = await connectSkills('full', { era })
    expect(client.getServerCapabilities()?.extensions).toMatchObject({ 'io.modelcontextprotocol/skills': {} })
    expect(client_.supported).toBe(true)
    const { skills: entries } = await client_.list()
    expect(entries.map(({ uri }) => uri)).toEqual(ALL.map(addressOf))
    for (const entry of entries) {
      const { verified, text, mimeType } = await client_.read(entry)
      expect([verified, mimeType]).toEqual([true, 'text/markdown'])
      expect(text).toBe(await skills.find(({ name }) => name === entry.frontmatter.name)?.markdown())
    }
  })

  test('gets one by its URI', async () => {
    const { skills: client_ } = await connectSkills('full', { era })
    const { skill, ttlMs, cacheScope } = await client_.get(addressOf('weekly-review'))
    expect((await client_.list()).skills).toContainEqual(skill)
    expect([ttlMs, cacheScope]).toEqual(era === '2026' ? [3_600_000, 'private'] : [undefined, undefined])
  })

  test('learns which exist when it requests an unknown one', async () => {
    const { client, skills: client_ } = await connectSkills('daily', { era })
    const there = ALL.slice(0, 3).map(addressOf).join(', ')
    const message = (uri: string) => `Expected the address of a skill of this connection (${there}), found ${uri}.`
    for (const uri of [addressOf('project-board'), 'skill://weekly-review', `${addressOf('weekly-review')}#a`]) {
      await expect(client_.get(uri)).rejects.toMatchObject({ code: -32602, message: message(uri) })
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, message: message(uri) })
    }
  })
})

test('are those whose tools the connection has', async () => {
  expect(await namesOn('full')).toEqual(ALL)
  expect(await namesOn('daily')).toEqual(ALL.slice(0, 3))
  const full = await connect()
  const documents = [await documentOf(full, 'words', 'Shown')]
  expect(await namesOn('selected', { to: full, documents })).toEqual(['scriptorium', 'meeting-notes'])
  expect(await namesOn('full', { access: 'read' })).toEqual(['scriptorium'])
  expect(await namesOn('full', { access: 'no-delete' })).toEqual(ALL)
  expect(await namesOn('full', { caller: { tools: new Set(['tasks_list']) } })).toEqual([])
})

test('say in their front matter what they do and when to use them, followed by the steps of the prompt', async () => {
  const { skills: client_ } = await connectSkills()
  const { skills: entries } = await client_.list()
  for (const { name, title, description, whenToUse, steps } of prompts) {
    const skillName = name.replaceAll('_', '-')
    const entry = entries.find(({ frontmatter }) => frontmatter.name === skillName)
    if (entry === undefined) throw new Error(`Expected a skill ${skillName}.`)
    const { frontmatter, body } = await client_.read(entry)
    const about = `In a Scriptorium space: ${description} ${whenToUse}`
    expect(frontmatter).toEqual({ name: skillName, description: about, license: 'MIT' })
    expect(body?.trim()).toBe(`# ${title}\n\n${steps}`)
  }
})

describe('as resources', () => {
  test('they are listed after the content of the space', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words', 'Mine')
    const { resources } = await connected.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`scriptorium://documents/${id}`, ...ALL.map(addressOf)])
    const text = await skills[1]?.markdown()
    expect(resources[2]).toEqual({
      uri: addressOf('weekly-review'),
      name: 'weekly-review',
      title: 'Weekly review',
      description: expect.stringMatching(/^In a Scriptorium space: Look back at the week/),
      mimeType: 'text/markdown',
      size: text?.length,
    })
  })

  test('they never extend a page beyond its limit', async () => {
    const { client, call } = await connect()
    const documents = Array.from({ length: 197 }, (_, index) => ({ title: `${index}` }))
    await call('documents_add', { documents })
    const first = await client.request({ method: 'resources/list', params: {} })
    const { resources = [], nextCursor = '' } = first as { resources?: object[]; nextCursor?: string }
    expect(resources).toHaveLength(197)
    const second = await client.request({ method: 'resources/list', params: { cursor: nextCursor } })
    expect(second).toMatchObject({ resources: ALL.map((name) => ({ uri: addressOf(name) })) })
    expect(second).not.toHaveProperty('nextCursor')
  })

  test('they can be subscribed to, and never change', async () => {
    const { client } = await connect('full', { era: '2025' })
    expect(await client.subscribeResource({ uri: addressOf('scriptorium') })).toEqual({})
    expect(await client.unsubscribeResource({ uri: addressOf('scriptorium') })).toEqual({})
  })
})

test('over HTTP they are served to 1.x and 2.x clients', async () => {
  const link = await (await serveBuilt()).link()
  const skillsOfV2 = new SkillsClient(await link.client())
  const { skills: entries } = await skillsOfV2.list()
  expect(entries.map(({ uri }) => uri)).toEqual(ALL.map(addressOf))
  const [first] = entries
  if (first === undefined) throw new Error('Expected a skill.')
  const { text } = await skillsOfV2.read(first)

  const client = new ClientOfV1({ name: 'tester', version: '1.0.0' })
  await client.connect(new HttpOfV1(new URL(link.mcp)) as Transport)
  onTestFinished(() => client.close())
  expect(client.getServerCapabilities()?.extensions).toMatchObject({ 'io.modelcontextprotocol/skills': {} })
  expect(await client.readResource({ uri: first.uri })).toMatchObject({ contents: [{ uri: first.uri, text }] })
})
