/** Unrealistic elements: any value under any key that a reader of a board uses. */
import fc from 'fast-check'
import { anyCharacter } from './support/any-character.ts'

/** Any JSON except a key that no call accepts. */
export const anyJson = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__'))

const number = fc.oneof(
  fc.integer({ min: -500, max: 500 }),
  fc.constantFrom(0, -0, 1e308, -1e308, 1e-308, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER),
)
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    '</whiteboard>',
    '<page>',
    '```',
    '$$',
    '- [ ] ',
    '\n\n# head',
    '&lt;',
    '"',
    '"/><script>',
    '\u202e',
    'ł 漢字 😀',
  ),
  fc.constant('x'.repeat(10_000)),
)
const color = fc.constantFrom('#1e1e1e', 'transparent', '#ff0', 'red', '"/><image href="x"', 'url(#a)', '')
const point = fc.oneof(fc.tuple(number, number), fc.constant([]), fc.constant([['deep', [[[]]]]]))
const binding = fc.oneof(fc.record({ elementId: id }), fc.constant({ elementId: 5 }))

/** The value of a key: mostly a valid one, sometimes anything. */
const odd = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: value },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.constant(null) },
  )

export const oddElement: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    id,
    type: fc.oneof(
      fc.constantFrom('rectangle', 'ellipse', 'diamond', 'text', 'arrow', 'line', 'freedraw', 'draw', 'image', 'frame'),
      fc.constantFrom('embeddable', 'magicframe', 'selection', 'iframe'),
    ),
    ...{ x: odd(number), y: odd(number), width: odd(number), height: odd(number), angle: odd(number) },
    points: odd(fc.array(point, { maxLength: 8 })),
    pressures: odd(fc.array(number, { maxLength: 8 })),
    ...{ text: odd(text), name: odd(text), fontSize: odd(number), fontFamily: odd(number), lineHeight: odd(number) },
    textAlign: odd(fc.constantFrom('left', 'center', 'right')),
    verticalAlign: odd(fc.constantFrom('top', 'middle', 'bottom')),
    ...{ containerId: odd(id), frameId: odd(id), groupIds: odd(fc.array(id, { maxLength: 3 })) },
    ...{ startBinding: odd(binding), endBinding: odd(binding), link: odd(text) },
    startArrowhead: odd(fc.constantFrom('arrow', 'dot', 'bar', 'triangle', 'diamond', 'crowfoot_many')),
    endArrowhead: odd(fc.constantFrom('arrow', 'circle_outline', 'triangle_outline')),
    ...{ strokeColor: odd(color), backgroundColor: odd(color), opacity: odd(number) },
    ...{ strokeWidth: odd(number), roughness: odd(number), seed: odd(number) },
    strokeStyle: odd(fc.constantFrom('solid', 'dashed', 'dotted')),
    fillStyle: odd(fc.constantFrom('solid', 'hachure', 'cross-hatch', 'zigzag')),
    roundness: odd(fc.record({ type: fc.constantFrom(1, 2, 3) })),
    fileId: odd(id),
    isDeleted: odd(fc.constant(false)),
    ...{ crop: odd(anyJson), scale: odd(fc.tuple(number, number)) },
  },
  { requiredKeys: ['id', 'type'] },
)
