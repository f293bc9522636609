/** The last part of the demo: two agents and a person on one board. The picture of the README shows it. */
import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { folder } from '../program.ts'
import { PICTURE, pictureOf } from './picture.ts'
import { workTogether } from './together.ts'

test('a claim, a suggestion, its approval and an undo happen as the picture shows; if not, run npm run picture', async () => {
  const path = folder()
  const scenes = await workTogether(path, { script: inject('bundledProgram'), cwd: path })
  const long = '"The port of Kemi, which is a port, is open all winter."'
  expect(scenes.map(({ who, shows }) => [who, shows])).toEqual([
    ['Researcher', '"Find a second port" is now its own: nobody else gets it'],
    ['Researcher', '"Tornio is open as well."'],
    ['Editor', `"Winter ports": 1 block changed. It waits; the text is still ${long}`],
    ['You', '"The port of Kemi is open all winter."'],
    ['You', long],
  ])
  expect(readFileSync(PICTURE, 'utf8')).toBe(pictureOf(scenes))
})

test('what is written into the picture cannot be markup', () => {
  expect(pictureOf([{ who: 'You', does: '<b>', shows: 'a & b' }])).toContain('&lt;b></text>')
})
