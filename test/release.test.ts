import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import program from '../package.json' with { type: 'json' }
import { changelogFaults, datedChangelog, joinedChangelog, releaseNotes } from '../scripts/changelog.ts'
import { releaseFaults } from '../scripts/check-release.ts'
import { TARBALL_DOCUMENTS, versionedDocument, versionedServer } from '../scripts/release.ts'
import {
  bundledPackages,
  checksums,
  linkedNotes,
  namedSbom,
  serverWithBundle,
  shippedSbom,
} from '../scripts/release-files.ts'

const HOME = 'https://example.org/it'
const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something new.

## [0.1.0] - 2026-01-02

### Added

- The first.

[Unreleased]: ${HOME}/compare/v0.1.0...HEAD
[0.1.0]: ${HOME}/releases/tag/v0.1.0
`

describe('the changelog of a release', () => {
  test('has the unreleased changes under the version and the date, room for more, and its links', () => {
    const dated = datedChangelog(CHANGELOG, '0.2.0', '2026-11-23', HOME)
    expect(dated).toBe(
      CHANGELOG.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n').replace(
        `[Unreleased]: ${HOME}/compare/v0.1.0...HEAD\n`,
        `[Unreleased]: ${HOME}/compare/v0.2.0...HEAD\n[0.2.0]: ${HOME}/compare/v0.1.0...v0.2.0\n`,
      ),
    )
    expect(changelogFaults(dated)).toEqual([])
    expect(releaseNotes(dated, '0.2.0')).toBe('### Added\n\n- Something new.\n')
    expect(releaseNotes(dated, '0.1.0')).toBe('### Added\n\n- The first.\n')
  })

  test('of the first version links to its tag', () => {
    const first = CHANGELOG.replace(/## \[0\.1\.0\][\s\S]*?(?=\[Unreleased\]:)/, '').replace(/^\[0\.1\.0\].*\n/m, '')
    const dated = datedChangelog(first, '0.2.0', '2026-11-23', HOME)
    expect(dated).toContain(`[0.2.0]: ${HOME}/releases/tag/v0.2.0\n`)
    expect(changelogFaults(dated)).toEqual([])
  })

  test('is rejected without changes, without its section, and for an existing version', () => {
    const dated = datedChangelog(CHANGELOG, '0.2.0', '2026-11-23', HOME)
    expect(() => datedChangelog(dated, '0.3.0', '2026-11-23', HOME)).toThrow(
      'Expected changes to release, found none in the CHANGELOG.',
    )
    expect(() => datedChangelog(CHANGELOG, '0.1.0', '2026-11-23', HOME)).toThrow(
      'Expected a new version, found 0.1.0 in the CHANGELOG.',
    )
    expect(() => datedChangelog('# Changelog\n', '0.2.0', '2026-11-23', HOME)).toThrow(
      'Expected one section "## [Unreleased]" in the CHANGELOG, found 0.',
    )
    expect(() => releaseNotes(CHANGELOG, '0.2.0')).toThrow(
      'Expected a section "## [0.2.0] - DATE" in the CHANGELOG, found none.',
    )
  })

  test('of a version that has a section but was not released gets what came later, kind by kind', () => {
    const text = `# Changelog

## [Unreleased]

### Added

- Newest.

### Security

#### Server

- Safer.

## [0.2.0] - 2026-11-20

### Added

#### Workspace

- Older.

#### Server

- A port.

### Fixed

- A fault.

[Unreleased]: ${HOME}/compare/v0.2.0...HEAD
[0.2.0]: ${HOME}/releases/tag/v0.2.0
`
    const joined = joinedChangelog(text, '0.2.0', '2026-11-29')
    expect(changelogFaults(joined)).toEqual([])
    expect(joined).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-11-29\n')
    expect(releaseNotes(joined, '0.2.0')).toBe(
      '### Added\n\n#### Workspace\n\n- Newest.\n- Older.\n\n#### Server\n\n- A port.\n\n### Fixed\n\n- A fault.\n\n### Security\n\n#### Server\n\n- Safer.\n',
    )
    expect(joinedChangelog(joined, '0.2.0', '2026-11-29')).toBe(joined)
    expect(() => joinedChangelog(text, '0.3.0', '2026-11-29')).toThrow(
      'Expected the sections "## [Unreleased]" and "## [0.3.0] - DATE" in the CHANGELOG, found one at most.',
    )
  })

  test('is checked: kinds of changes, dates, links, and one line per change', () => {
    const odd = CHANGELOG.replace('### Added', '### Workspace')
      .replace('- Something new.', '- Something\n  new.')
      .replace('[0.1.0] - 2026-01-02', '0.1.0 (2026-01-02)')
    expect(changelogFaults(odd)).toEqual([
      'Expected Added, Changed, Deprecated, Removed, Fixed, Security below "[Unreleased]", found Workspace.',
      'Expected one line per change below "[Unreleased]", found "  new.".',
      'Expected "## [1.2.3] - 2026-11-23" in the CHANGELOG, found "## 0.1.0 (2026-01-02)".',
      'Expected a link "[]: https://…" at its end.',
    ])
  })

  test('is checked for changes that stand in two sections, as after a merge', () => {
    expect(changelogFaults(CHANGELOG.replace('- The first.', '- Something new.'))).toEqual([
      'Expected each change once in the CHANGELOG, found twice "- Something new.".',
    ])
  })
})

describe('the files of a release', () => {
  test('have checksums that sha256sum reads', () => {
    expect(
      checksums(
        new Map([
          ['b', ''],
          ['a', 'x'],
        ]),
      ),
    ).toBe(
      [
        '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n',
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n',
      ].join(''),
    )
  })

  test('describe the bundle to the registry of servers', () => {
    const text = readFileSync(join(import.meta.dirname, '../server.json'), 'utf8')
    const { packages, version, repository } = serverWithBundle(JSON.parse(text), 'f'.repeat(64))
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'data/mcp-registry/server.schema.json'), 'utf8'))
    const ajv = new Ajv({ strict: false, formats: { uri: (url: string) => URL.canParse(url) } })
    expect(ajv.validate(schema, serverWithBundle(JSON.parse(text), 'f'.repeat(64)))).toBe(true)
    expect(packages.at(-1)).toEqual({
      registryType: 'mcpb',
      identifier: `${repository.url}/releases/download/v${version}/scriptorium.mcpb`,
      fileSha256: 'f'.repeat(64),
      transport: { type: 'stdio' },
    })
  })

  test('have notes whose links lead to the files of the version', () => {
    expect(linkedNotes('[a](docs/a.md#b) [c](https://example.org)', 'https://example.org/it', '1.2.3')).toBe(
      '[a](https://example.org/it/blob/v1.2.3/docs/a.md#b) [c](https://example.org)',
    )
  })

  test('name the program in the list of packages', () => {
    const sbom = { metadata: { component: { name: 'folder', purl: 'pkg:npm/folder@1.0.0', type: 'application' } } }
    expect(namedSbom(sbom, 'scriptorium', '1.2.3').metadata.component).toEqual({
      ...{ name: 'scriptorium', purl: 'pkg:npm/scriptorium@1.2.3', type: 'application' },
    })
  })
})

describe('the list of packages of a release', () => {
  const line = '-'.repeat(80)
  const licenses = `@a/one 1.0.0 (MIT)\n\nText of it 1.2.3 (x)\n\n${line}\n\ntwo 2.0.0-rc.1 (ISC)\n\n${line}\n\nIcons of Lucide (ISC)\n`
  const dev = [{ name: 'cdx:npm:package:development', value: 'true' }]
  const component = (name: string, version: string, properties: object[] = []) => ({
    ...{ 'bom-ref': `${name}@${version}`, name, version, properties },
  })
  const all = {
    metadata: { component: { 'bom-ref': 'it@1.0.0' } },
    components: [
      ...[component('@a/one', '1.0.0', dev), component('@a/one', '0.9.0', dev), component('two', '2.0.0-rc.1', dev)],
      ...[component('tester', '1.0.0', dev), component('database', '3.0.0')],
    ],
    dependencies: [
      { ref: 'it@1.0.0', dependsOn: ['@a/one@1.0.0', 'tester@1.0.0', 'database@3.0.0'] },
      { ref: '@a/one@1.0.0', dependsOn: ['two@2.0.0-rc.1'] },
      { ref: 'tester@1.0.0', dependsOn: ['@a/one@0.9.0'] },
    ],
  }

  test('has what is bundled and what is installed, and nothing else', () => {
    const bundled = bundledPackages(licenses)
    expect([...bundled]).toEqual(['@a/one@1.0.0', 'two@2.0.0-rc.1'])
    expect(shippedSbom(all as Parameters<typeof shippedSbom>[0], bundled)).toEqual({
      ...all,
      components: [component('@a/one', '1.0.0'), component('two', '2.0.0-rc.1'), component('database', '3.0.0')],
      dependencies: [
        { ref: 'it@1.0.0', dependsOn: ['@a/one@1.0.0', 'database@3.0.0'] },
        { ref: '@a/one@1.0.0', dependsOn: ['two@2.0.0-rc.1'] },
      ],
    })
  })

  test('is refused if it lacks a bundled package', () => {
    expect(() => shippedSbom(all as Parameters<typeof shippedSbom>[0], new Set(['three@3.0.0']))).toThrow(
      'Expected three@3.0.0 in the list of packages, found none.',
    )
  })
})

describe('a first release', () => {
  test('lacks nothing; if it does, npm run release:check says what', () => {
    expect(releaseFaults()).toEqual([])
  })

  test('is refused for each thing that it lacks', () => {
    const { license: _, ...unlicensed } = program
    const dependencies = { ...program.dependencies, ours: 'file:../ours' }
    const odd = { ...unlicensed, version: '9.9.9', private: true, dependencies, scripts: { postinstall: 'x' } }
    expect(releaseFaults(odd, import.meta.dirname)).toEqual(
      expect.arrayContaining([
        'Expected a file README.md, found none.',
        'Expected license in package.json, found none.',
        'Expected a package that can be published, found "private" in package.json.',
        'Expected ours from the registry, found file:../ours in package.json.',
        'Expected a package that runs nothing when installed, found "postinstall".',
        `Expected version 9.9.9 in server.json, found ${program.version}.`,
        'Expected the CHANGELOG to begin with "# Changelog".',
        'Expected SECURITY.md to say how to report a weakness.',
      ]),
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
