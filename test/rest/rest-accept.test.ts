import { describe, expect, test } from 'vitest'
import { prefersMarkdown } from '../../src/rest/rest-accept.ts'

describe('the response is Markdown', () => {
  test.each([
    'text/markdown',
    'TEXT/Markdown; charset=utf-8',
    'text/markdown, */*',
    'application/json;q=0.9, text/markdown',
    'text/markdown;q=0.5, */*;q=0.1',
    'text/*',
    'text/*;q=0.9, application/json;q=0.5',
    'text/markdown, application/json',
    '*/*;q=0, text/markdown;q=0.001',
    // An invalid quality value counts as 1.
    'text/markdown;q=high',
  ])('for %s', (accept) => expect(prefersMarkdown(accept)).toBe(true))
})

describe('the response is JSON', () => {
  test.each([
    null,
    '',
    '*/*',
    'application/json',
    'application/json, text/markdown',
    'application/json, text/markdown;q=0.9',
    'application/*, text/*',
    'text/html, */*;q=0.8',
    'text/markdown;q=0',
    'text/*, text/markdown;q=0',
    'image/png',
    'application/json, text/*',
  ])('for %s', (accept) => expect(prefersMarkdown(accept)).toBe(false))
})
