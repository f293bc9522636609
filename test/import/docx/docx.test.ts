/** Word documents. */
import { expect, test } from 'vitest'
import { docxFormat } from '../../../src/import/markdown/page-formats.ts'
import { png } from '../../picture.ts'
import { imported, problemLines, sourceOf } from '../importing.ts'
import { entriesOf, zipOf } from '../zips.ts'

const PICTURE = png(3, 2)
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const docx = (body: string, more: Record<string, string | Uint8Array> = {}) =>
  zipOf(
    entriesOf({
      '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
      '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${R}/officeDocument" Target="word/document.xml"/></Relationships>`,
      'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="i1" Type="${R}/image" Target="media/dot.png"/><Relationship Id="l1" Type="${R}/hyperlink" Target="https://x.example/" TargetMode="External"/></Relationships>`,
      'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${R}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
      'word/media/dot.png': PICTURE,
      ...more,
    }),
  )
const run = (text: string, marks = '') => `<w:r><w:rPr>${marks}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (inner: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${inner}</w:p>`
const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`
const IMAGE =
  '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="a dot"/><a:graphic><a:graphicData uri="x"><pic:pic><pic:blipFill><a:blip r:embed="i1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
const STYLES = `<w:styles xmlns:w="${W}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Odd"><w:name w:val="Odd style"/></w:style></w:styles>`

test('a document has its text, marks, links, tables and images, and names what is not converted', async () => {
  const body = [
    paragraph(run('Top'), 'Heading1'),
    paragraph(`${run('Words ')}${run('bold', '<w:b/>')} <w:hyperlink r:id="l1">${run('link')}</w:hyperlink>`),
    `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr>${cell('1')}${cell('2')}</w:tr></w:tbl>`,
    paragraph(IMAGE),
    paragraph(run('odd'), 'Odd'),
  ].join('')
  const rels = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="i1" Type="${R}/image" Target="media/dot.png"/><Relationship Id="l1" Type="${R}/hyperlink" Target="https://x.example/" TargetMode="External"/><Relationship Id="s1" Type="${R}/styles" Target="styles.xml"/></Relationships>`
  const files = { 'Plan.docx': await docx(body, { 'word/styles.xml': STYLES, 'word/_rels/document.xml.rels': rels }) }
  expect(await docxFormat.detects(sourceOf(files))).toBe('it has Word documents and no Markdown')
  const { read, blocks, report, again } = await imported(files, docxFormat)
  expect((await read('Plan')).replace(/scriptorium:\S+\d/, 'file')).toBe(
    '# Top\n\nWords **bold**[link](https://x.example/)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n![a dot](file)\n\nodd',
  )
  expect((await blocks('Plan'))[3]).toMatchObject({ type: 'image', fileSize: PICTURE.byteLength })
  expect(report.problems).toEqual([
    {
      ...{ path: 'Plan.docx', kind: 'changed', message: 'A part of the document is not converted.' },
      detail: "Unrecognised paragraph style: 'Odd style' (Style ID: Odd)",
    },
  ])
  expect((await again(files)).counts).toMatchObject({ unchanged: 1 })
})

test('what is no document, or has too much in it, is reported, and the others are imported', async () => {
  const deep = '<w:p>'.repeat(20_000)
  const { report, read } = await imported(
    {
      'no.docx': 'no zip',
      'other.docx': await zipOf(entriesOf({ 'a.txt': 'x' })),
      'bomb.docx': await docx(`<!--${'x'.repeat(40_000_000)}-->`),
      'deep.docx': await docx(deep),
      'good.docx': await docx(paragraph(run('Good'))),
    },
    docxFormat,
  )
  expect(await read('good')).toBe('Good')
  expect(problemLines(report).map((line) => line.slice(0, 60))).toEqual([
    expect.stringMatching(/^bomb\.docx failed: Expected files at most 200 times/),
    expect.stringMatching(/^deep\.docx failed: /),
    expect.stringMatching(/^no\.docx failed: Expected a zip/),
    'other.docx failed: Expected a Word document, found another z',
  ])
})
