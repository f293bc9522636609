/** Commands print names chosen by others on one line each, whatever they contain. */
import { describe, expect, test } from 'vitest'
import { addAccessLink } from '../../src/auth/access-links/access-links.ts'
import { findControlCharacter } from '../../src/base/control-characters.ts'
import { runLinks } from '../../src/cli/access/links-command.ts'
import { runParticipants } from '../../src/cli/access/participants-command.ts'
import { formatFindings } from '../../src/cli/doctor/findings.ts'
import { printLog } from '../../src/cli/history/log-command.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { differenceLines, formatResult } from '../../src/cli/printing.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { updateAccessLink } from '../../storage/access-links.ts'
import { insertAuditRow } from '../../storage/audit-log.ts'
import { insertIdentity } from '../../storage/identities.ts'
import { insertParticipant } from '../../storage/participants.ts'
import { buildSpace } from '../build.ts'

/** Ends the line, forges another one, and clears the screen. */
const HOSTILE = 'Anna\r\n1\tforged\u001b[2J\u001b]0;title\u0007\u009b1A\u202e\u2028'
const SHOWN = 'Anna\\r\\n1\\tforged\\u001b[2J\\u001b]0;title\\u0007\\u009b1A\\u202e\\u2028'
/** The first control character, except for those that end lines and fields. */
const steering = (text: string) => findControlCharacter(text.replace(/[\n\t]/g, ''))

const options = parseOptions(['links', 'list'], {})

test('a difference is printed with its tabs, and nothing else of it can steer the terminal', () => {
  const lines = differenceLines('--- Plan\tbefore\n+++ Plan\tafter\n+a\u001b[2J\tb')
  expect(formatResult({ value: {}, lines }, { json: false })).toBe('--- Plan\tbefore\n+++ Plan\tafter\n+a\\u001b[2J\tb')
})

/** A space with names from before they were checked. */
async function withHostileNames() {
  const built = await buildSpace()
  const { space } = built
  const id = await space.write(OPERATOR_LINK, async (view) => {
    const { info } = await addAccessLink(view, { kind: 'full', access: 'full', documents: [], isBearer: false })
    await updateAccessLink(view.tx, 1, { name: HOSTILE })
    await insertParticipant(view.tx, { id: 'p', name: HOSTILE, createdAt: 0 })
    await insertIdentity(view.tx, { issuer: 'https://id.example', subject: HOSTILE, participant: 2 }, 0)
    const row = { at: 0, link: info.id, author: HOSTILE, client: HOSTILE, endpoint: 'blocks_add', ids: '["a"]' }
    await insertAuditRow(view.tx, row)
    return info.id
  })
  return { ...built, id }
}

describe('names full of escape sequences', () => {
  test('are on one line each in links list', async () => {
    const { space, id } = await withHostileNames()
    const done = await runLinks(space, 'list', options)
    expect(formatResult(done, { json: false })).toBe(`${id}\t${SHOWN}\tfull\tfull\tOwner`)
    const json = formatResult(done, { json: true })
    expect(steering(json)).toBeUndefined()
    expect(JSON.parse(json)).toMatchObject([{ name: HOSTILE }])
    const revoked = await runLinks(space, 'revoke', { ...options, operand: id })
    expect(formatResult(revoked, { json: false })).toMatch(/^Revoked [0-9a-f]{22}\tAnna\\r\\n1\\tforged[^\n]*$/)
  })

  test('are on one line each in participants list', async () => {
    const { space } = await withHostileNames()
    const done = await runParticipants(space, 'list', '')
    const [, line, ...more] = formatResult(done, { json: false }).split('\n')
    expect(line).toBe(`${SHOWN}\tp\tsince 1970-01-01T00:00:00.000Z\tsigns in as ${SHOWN} of https://id.example`)
    expect(more).toEqual([])
    expect(steering(formatResult(done, { json: true }))).toBeUndefined()
  })

  test('are on one line each in the log', async () => {
    const { space, id } = await withHostileNames()
    const print = async (json: boolean) => {
      const lines: string[] = []
      const { signal } = new AbortController()
      await printLog(space, { json, follows: false, signal }, (line) => void lines.push(line))
      return lines
    }
    expect(await print(false)).toEqual([`1970-01-01T00:00:00.000Z\t${id}\t${SHOWN}, via ${SHOWN}\tblocks_add\ta`])
    const [json = ''] = await print(true)
    expect(json).not.toMatch(/[\n\t]/)
    expect(steering(json)).toBeUndefined()
    expect(JSON.parse(json)).toMatchObject({ author: HOSTILE, client: HOSTILE })
  })

  test("are on one line each in doctor's findings", () => {
    expect(formatFindings([{ what: 'Name', found: HOSTILE, advice: HOSTILE }])).toBe(
      `! Name  ${SHOWN}\n        ${SHOWN}\n`,
    )
  })
})

describe('names given by operators', () => {
  const tooLong = 'x'.repeat(121)
  const cases = (what: string) =>
    [
      [HOSTILE, `Expected a name of ${what} without control characters, found U+000D in it; leave it out.`],
      ['a\u202eb', `Expected a name of ${what} without control characters, found U+202E in it; leave it out.`],
      [tooLong, `Expected a name of ${what} of at most 120 characters, found 121; shorten it.`],
      [' ', `Expected the name of ${what}, found none; give it.`],
    ] as const

  test('to links and participants are short, without control characters', async () => {
    const { space } = await buildSpace()
    const input = { kind: 'full', access: 'full', documents: [], isBearer: false } as const
    for (const [name, message] of cases('a link')) {
      await expect(space.write(OPERATOR_LINK, (view) => addAccessLink(view, { ...input, name }))).rejects.toThrow(
        message,
      )
    }
    for (const [name, message] of cases('a participant')) {
      await expect(space.write(OPERATOR_LINK, (view) => addParticipant(view, name))).rejects.toThrow(message)
    }
    await space.write(OPERATOR_LINK, (view) => addAccessLink(view, { ...input, name: ` ${'x'.repeat(120)} ` }))
  })

  test('to a new space, too', async () => {
    for (const [name, message] of cases('the space')) {
      await expect(buildSpace(':memory:', { name })).rejects.toThrow(message)
    }
  })
})
