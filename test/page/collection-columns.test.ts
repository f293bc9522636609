/** Columns of collections, changed by forms without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Suppliers, serveSuppliers } from './suppliers.ts'
import { textOf } from './visiting.ts'

let { anna, visitor, suppliers, itemsOf, addItem, schemaOf } = {} as Suppliers
beforeEach(async () => {
  ;({ anna, visitor, suppliers, itemsOf, addItem, schemaOf } = await serveSuppliers())
})

describe('a column', () => {
  const option = (old: string, name: string): [string, string][] => [
    ['option.old', old],
    ['option', name],
  ]
  /** Sends a form with several fields of one name. */
  const send = (text: string, key: string, fields: [string, string][]) => {
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    return fetch(`${visitor.base}/collections/${suppliers}/columns/${key}`, {
      method: 'POST',
      body: new URLSearchParams([['token', token], ...fields]),
      headers: { cookie: visitor.cookie, origin: new URL(visitor.base).origin },
      redirect: 'manual',
    })
  }
  const columnForm = (key: string) => visitor.get(`/collections/${suppliers}/columns/${key}`)

  test('is added', async () => {
    const form = await visitor.get(`/collections/${suppliers}/columns/new`)
    await visitor.press(form, 'Add it', { name: 'Size', type: 'singleSelect', newOptions: 'small\r\nlarge' })
    expect((await schemaOf()).properties.at(-1)).toMatchObject({
      name: 'Size',
      options: [{ name: 'small' }, { name: 'large' }],
    })
  })

  test('says what items depend on, if it is a relation of the collection with itself', async () => {
    const form = await visitor.get(`/collections/${suppliers}/columns/new`)
    const rule = { done: { property: 'certified', filterType: 'equals', filterValue: true } }
    const needs = { name: 'Needs', type: 'relation', target: suppliers, dependsOn: 'certified' }
    expect(textOf(form)).toContain('until Certified is ticked')
    expect(textOf(form)).toContain('until Status is asked')
    await visitor.press(form, 'Add it', needs)
    const configOf = async () =>
      (await schemaOf()).properties.find(({ key }: { key: string }) => key === 'needs')?.config
    expect(await configOf()).toMatchObject({ dependsOn: rule })
    const shown = await columnForm('needs')
    expect(shown.text).toContain('<option value="certified" selected>')
    await visitor.press(shown, 'Save', { ...needs, name: 'Waits for' })
    expect(await configOf()).toMatchObject({ dependsOn: rule })
    await visitor.press(shown, 'Save', { ...needs, dependsOn: '' })
    expect((await configOf())?.dependsOn).toBeUndefined()
    expect(textOf(await visitor.press(shown, 'Save', { name: 'Waits for' }))).not.toContain('fault of this server')
    expect((await columnForm('status')).text).not.toContain('name="dependsOn"')
  })

  test('is renamed with its options, whose colors stay', async () => {
    await addItem('Nordkran', { status: 'in' })
    const form = await columnForm('status')
    expect(form.text).toContain('<input type="hidden" name="option.old" value="in">')
    const sent = await send(form.text, 'status', [
      ...Object.entries({ name: 'State', type: 'singleSelect' }),
      ...option('in', 'arrived'),
      ...option('asked', 'asked'),
    ])
    expect(sent.status).toBe(303)
    expect((await schemaOf()).properties[0]).toMatchObject({
      key: 'status',
      name: 'State',
      options: [{ name: 'arrived', color: 'red' }, { name: 'asked' }],
    })
    expect((await itemsOf())[0].properties.status).toBe('arrived')
  })

  test('keeps options that somebody added while the form was open', async () => {
    const form = await columnForm('tags')
    const { properties, ...schema } = await schemaOf()
    const withOption = properties.map((one: { key: string; options: object[] }) =>
      one.key === 'tags' ? { ...one, options: [...one.options, { name: 'new' }] } : one,
    )
    await anna('schema_update', { collectionId: suppliers, schema: { ...schema, properties: withOption } })
    await send(form.text, 'tags', [
      ...Object.entries({ name: 'Labels', type: 'multiSelect', newOptions: 'own' }),
      ...option('near', 'near'),
      ...option('far', ''),
    ])
    expect((await schemaOf()).properties[1].options.map(({ name }: { name: string }) => name)).toEqual([
      ...['near', 'own', 'new'],
    ])
  })

  test('shows what another type would lose before it is changed, and keeps what can be converted', async () => {
    await addItem('One', { notes: '12' })
    await addItem('Two', { notes: '1,300.5' })
    await addItem('Three', { notes: 'a lot' })
    const question = await visitor.press(await columnForm('notes'), 'Save', { name: 'Notes', type: 'number' })
    expect(textOf(question)).toContain('1 value would be lost.')
    expect(textOf(question)).toContain('a lot')
    expect((await itemsOf())[2].properties.notes).toBe('a lot')
    await visitor.press(question, 'Go on, and lose 1 value')
    const notes = (await schemaOf()).properties.find(({ name }: { name: string }) => name === 'Notes')
    expect(notes.type).toBe('number')
    expect(
      (await itemsOf()).map((item: { properties: Record<string, unknown> }) => item.properties[notes.key]),
    ).toEqual([12, 1300.5, undefined])
  })

  test('shows before it is deleted what is deleted with it', async () => {
    await addItem('One', { price: 12 })
    const question = await visitor.press(await columnForm('price'), 'Delete “Price”…')
    expect(textOf(question)).toContain('Delete the column “Price”? 1 value would be lost.')
    expect((await schemaOf()).properties).toHaveLength(9)
    await visitor.press(question, 'Go on, and lose 1 value')
    expect((await schemaOf()).properties).toHaveLength(8)
  })
})
