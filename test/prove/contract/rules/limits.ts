/** Rules about rate limits. */
import { DEFAULT_RATE_LIMITS } from '../../../../src/call/rate-limiter.ts'
import { MCP, REST, type RuleGroup } from '../rule.ts'
import { has, holds, inPage, type RuleContext, reads, same } from '../rule-context.ts'

export const limits: RuleGroup = {
  title: 'limits',
  rules: [
    {
      statement: 'An address makes at most 50 requests in ten seconds.',
      over: REST,
      async check(at) {
        await at.limited({ address: 50 }, async (context) => {
          await untilRefused(context, 50)
          at.world.clock.now += 10_000
          same((await context.rest('GET', '/connection')).status, 200)
        })
      },
    },
    {
      statement: 'The links and MCP connections of one address share its limit.',
      over: REST,
      async check(at) {
        await at.limited({ address: 50 }, async (context, open) => {
          const other = await open('full', 'REST')
          for (let count = 0; count < 25; count++) {
            for (const each of [context, other]) same((await each.rest('GET', '/connection')).status, 200)
          }
          for (const each of [context, other]) same((await each.rest('GET', '/connection')).status, 429)
        })
      },
    },
    {
      statement: 'A space takes at most 100 requests in 60 seconds.',
      over: REST,
      async check(at) {
        same(DEFAULT_RATE_LIMITS.requests, 100)
        await at.limited({ requests: 100 }, async (context) => {
          await untilRefused(context, 100)
          at.world.clock.now += 60_000
          same((await context.rest('GET', '/connection')).status, 200)
        })
      },
    },
    {
      statement: 'All links, connections and clients of a space share its limit.',
      over: REST,
      async check(at) {
        await at.limited({ requests: 3 }, async (context, open) => {
          const other = await open(at.kind === 'full' ? 'daily' : 'full', 'REST')
          same((await context.rest('GET', '/connection')).status, 200)
          same((await other.rest('GET', '/connection')).status, 200)
          same((await context.rest('GET', '/connection')).status, 200)
          for (const each of [context, other]) same((await each.rest('GET', '/connection')).status, 429)
        })
      },
    },
    {
      statement: 'A space reads and writes at most 20,000 blocks in 60 seconds.',
      async check(at) {
        const page = await at.page()
        const blocks = Array.from({ length: 6 }, (_, index) => ({ type: 'text', markdown: `block ${index}` }))
        await at.limited({ blocks: 20 }, async (context) => {
          await context.done('blocks_add', { blocks, position: inPage(page) })
          await context.read(page)
          await context.refused(
            'blocks_add',
            { blocks: [...blocks, ...blocks], position: inPage(page) },
            'RATE_LIMITED',
          )
          await context.read(page)
          await context.refused('blocks_get', { id: page }, 'RATE_LIMITED')
          at.world.clock.now += 60_000
          await context.read(page)
        })
        same(DEFAULT_RATE_LIMITS.blocks, 20_000)
      },
    },
    {
      statement: 'A 429 has the header Retry-After, in whole seconds.',
      over: REST,
      async check(at) {
        await at.limited({ requests: 1 }, async (context) => {
          await context.rest('GET', '/connection')
          at.world.clock.now += 20_500
          const { status, headers, code } = await context.rest('GET', '/connection')
          same([status, code, headers['retry-after']], [429, 'RATE_LIMITED', '40'])
        })
      },
    },
    {
      statement: 'Over MCP, the sentence of a reached limit repeats the delay.',
      over: MCP,
      async check(at) {
        await at.limited({ requests: 10 }, async (context) => {
          let sentence: string | undefined
          for (let count = 0; count < 12 && sentence === undefined; count++) {
            const { isRefused, code, error } = await context.call('connection_get')
            if (isRefused) {
              same(code, 'RATE_LIMITED')
              sentence = error
            }
          }
          reads(sentence, /Retry after \d+ seconds?\.$/)
        })
      },
    },
    {
      statement: 'Each page of a list and each retry counts as a request.',
      over: REST,
      async check(at) {
        await at.limited({ requests: 10 }, async (context) => {
          const remaining = async () =>
            Number((await context.rest('GET', '/reminders?limit=1')).headers['x-ratelimit-remaining'])
          const first = await remaining()
          holds(Number.isInteger(first), 'Expected a number of remaining requests')
          same([await remaining(), await remaining()], [first - 1, first - 2])
        })
      },
    },
    {
      statement: 'Answers say what is left of the requests: X-RateLimit-Limit, -Remaining and -Reset.',
      over: REST,
      async check(at) {
        await at.limited({ requests: 10 }, async (context) => {
          const { headers } = await context.rest('GET', '/connection')
          has(headers, { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' })
          same(Number(headers['x-ratelimit-reset']), Math.ceil(at.world.clock.now / 1_000) + 60)
        })
      },
    },
    {
      statement: 'Answers about blocks say what is left of them: X-BlockBudget-Limit, -Remaining and -Reset.',
      over: REST,
      async check(at) {
        const { page } = await at.made('one\n\ntwo')
        await at.limited({ blocks: 100 }, async (context) => {
          await context.rest('GET', `/blocks?id=${page}`)
          const { headers } = await context.rest('GET', `/blocks?id=${page}`)
          same(headers['x-blockbudget-limit'], '100')
          reads(headers['x-blockbudget-remaining'], /^\d+$/)
          reads(headers['x-blockbudget-reset'], /^\d{10}$/)
        })
      },
    },
    {
      statement: 'Answers over MCP have no headers about blocks.',
      over: MCP,
      async check(at) {
        const { page } = await at.made('one')
        await at.limited({ requests: 100, blocks: 100 }, async (context) => {
          same((await context.read(page)).id, page)
          const { http } = await context.connection.http.mcp('tools/call', {
            name: 'blocks_get',
            arguments: { id: page },
          })
          same(http?.status, 200)
          same(
            Object.keys(http?.headers ?? {}).filter((name) => name.startsWith('x-blockbudget')),
            [],
          )
        })
      },
    },
    {
      statement: 'A 429 for an address may lack the headers X-RateLimit-*.',
      cannot: 'It allows both.',
    },
  ],
}

async function untilRefused(context: RuleContext, allowed: number): Promise<void> {
  for (let count = 0; count < allowed; count++) same((await context.rest('GET', '/connection')).status, 200)
  const { status, code } = await context.rest('GET', '/connection')
  same([status, code], [429, 'RATE_LIMITED'])
}
