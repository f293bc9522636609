/** Texts that several rules use. */

/** One of each block that Markdown can say. */
export const SAMPLES = [
  '# Head',
  'words',
  '- point',
  '- [ ] task',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '```typescript\nlet a\n```',
  '****',
  '![alt](https://example.com/a.png)',
  '<page><pageTitle>inner</pageTitle><content>deep</content></page>',
].join('\n\n')

export const LANGUAGES =
  'ada bash cpp cs css dart dockerfile matlab go groovy haskell html java javascript json julia kotlin lua markdown mermaid objectivec perl php prolog plaintext python r ruby rust scala shell sql swift typescript vbnet xml yaml math_formula other'.split(
    ' ',
  )
