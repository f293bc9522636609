/** Which notes of a vault are daily notes. */
import { expect, test } from 'vitest'
import { dayFinder, readVaultSettings } from '../../../src/import/markdown/vault-settings.ts'
import { sourceOf } from '../importing.ts'

test.each([
  ['YYYY-MM-DD', '', '2024-05-04.md', '2024-05-04'],
  ['YYYY-MM-DD', 'Daily', 'Daily/2024-05-04.md', '2024-05-04'],
  ['YYYY/MM/YYYY-MM-DD', 'Journal', 'Journal/2024/05/2024-05-04.md', '2024-05-04'],
  ['dddd, MMMM Do YYYY', '', 'Saturday, May 4th 2024.md', '2024-05-04'],
  ['D. MMM YY', '', '4. May 24.md', '2024-05-04'],
  ['[Day] DD.MM.YYYY', '', 'Day 04.05.2024.md', '2024-05-04'],
  ['YYYY-MM-DD', 'Daily', '2024-05-04.md', undefined],
  ['YYYY-MM-DD', '', '2024-02-30.md', undefined],
  ['YYYY-MM-DD', '', '2024-05-04 notes.md', undefined],
  ['YYYY-[W]ww', '', '2024-W18.md', undefined],
])('%s in "%s" finds in %s the day %s', (format, folder, path, day) =>
  expect(dayFinder(format, folder)(path)).toBe(day),
)

test('a vault says where its daily notes are, and a folder without settings says nothing', async () => {
  const settings = { '.obsidian/daily-notes.json': '{ "format": "YYYYMMDD", "folder": "/days/" }' }
  expect((await readVaultSettings(sourceOf(settings)))?.dayOf('days/20240504.md')).toBe('2024-05-04')
  const plain = await readVaultSettings(sourceOf({ '.obsidian/app.json': '{}' }))
  expect(plain?.dayOf('2024-05-04.md')).toBe('2024-05-04')
  expect(await readVaultSettings(sourceOf({ 'a.md': '' }))).toBeUndefined()
})
