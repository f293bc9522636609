import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import program from '../package.json' with { type: 'json' }
import { datedChangelog, TARBALL_DOCUMENTS, versionedDocument, versionedServer } from '../scripts/release.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 (2026-01-02)\n\n- The first.\n'

describe('the changelog of a release', () => {
  test('has the unreleased changes under the version and the date, and room for more', () => {
    expect(datedChangelog(CHANGELOG, '0.2.0', '2026-11-23')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n- Something new.\n\n## 0.1.0 (2026-01-02)\n\n- The first.\n',
    )
  })

  test('is rejected without changes, without its section, and for an existing version', () => {
    const dated = datedChangelog(CHANGELOG, '0.2.0', '2026-11-23')
    expect(() => datedChangelog(dated, '0.3.0', '2026-11-23')).toThrow(
      'Expected changes to release, found none in the CHANGELOG.',
    )
    expect(() => datedChangelog(CHANGELOG, '0.1.0', '2026-11-23')).toThrow(
      'Expected a new version, found 0.1.0 in the CHANGELOG.',
    )
    expect(() => datedChangelog('# Changelog\n', '0.2.0', '2026-11-23')).toThrow(
      'Expected one section "## Unreleased" in the CHANGELOG, found 0.',
    )
  })
})

test('server.json has the version of a release twice, for the server and its package, and no other change', () => {
  const text = readFileSync(join(import.meta.dirname, '../server.json'), 'utf8')
  const { version, packages, ...others } = JSON.parse(text)
  const released = JSON.parse(versionedServer(text, '9.8.7-rc.1'))
  const versioned = packages.map((one: object) => ({ ...one, version: '9.8.7-rc.1' }))
  expect(released).toEqual({ ...others, version: '9.8.7-rc.1', packages: versioned })
  expect(version).not.toBe('9.8.7-rc.1')
})

test('documents that name the tarball have the current version, and the next one after a release', () => {
  for (const file of TARBALL_DOCUMENTS) {
    const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    expect(text).toContain(`scriptorium-${program.version}.tgz`)
    expect(versionedDocument(text, program.version)).toBe(text)
    expect(versionedDocument(text, '9.8.7-rc.1')).toBe(
      text.replaceAll(`scriptorium-${program.version}.tgz`, 'scriptorium-9.8.7-rc.1.tgz'),
    )
  }
  expect(versionedDocument('./scriptorium-9.8.7-rc.1.tgz scriptorium', '9.9.0')).toBe(
    './scriptorium-9.9.0.tgz scriptorium',
  )
})
