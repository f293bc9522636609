import { describe, expect, test } from 'vitest'
import program from '../../package.json' with { type: 'json' }
import { connect } from '../connect.ts'

describe.each(['2025', '2026'] as const)('a client of %s', (era) => {
  test('sees the name, the purpose and the icon of the server', async () => {
    const { client } = await connect('full', { era })
    const { icons = [], ...info } = client.getServerVersion() ?? {}
    expect(info).toEqual({
      name: 'scriptorium',
      title: 'Scriptorium',
      version: '0.0.0',
      description: program.description,
    })
    expect(icons).toMatchObject([{ mimeType: 'image/svg+xml', sizes: ['any'] }])
    const [{ src = '' } = {}] = icons as { src?: string }[]
    // Every 2026 result repeats it.
    expect(src.length).toBeLessThan(700)
    const svg = decodeURIComponent(src.replace('data:image/svg+xml,', ''))
    expect(svg).toMatch(/^<svg .*<\/svg>$/)
  })
})
