/** Rules about credentials, and about events and versions, of which the contract says little. */

import { REST, type RuleGroup } from '../rule.ts'
import { has, holds, one, reads, same } from '../rule-context.ts'

export const authentication: RuleGroup = {
  title: 'authentication',
  rules: [
    {
      statement: 'The API URL of a connection is the base URL, and its kind decides what it reaches.',
      over: REST,
      async check(at) {
        has((await at.rest('GET', '/connection')).body, { space: { name: 'Contract' } })
        const { status } = await at.rest('GET', `/blocks?id=${at.world.hidden}`)
        same(status, at.kind === 'full' ? 200 : 404)
      },
    },
    {
      statement: 'Without its credential, or with another one, a link answers nothing.',
      over: REST,
      async check(at) {
        for (const authorization of ['', 'Bearer wrong', 'Basic YTpi']) {
          const { status, code, headers } = await at.rest('GET', '/connection', { authorization })
          same([status, code], [401, 'INVALID_AUTH_HEADER'])
          reads(headers['www-authenticate'], /^Bearer/)
        }
      },
    },
    {
      statement: 'There are two kinds of credentials: of OAuth, and of an ordinary link.',
      cannot:
        'Other proofs check it: `reach` and `attack` enter by both, and `test/auth` runs the sign-in of official clients.',
    },
    {
      statement: 'Reminders of an OAuth connection belong to the person who signed in, in spaces of one or many.',
      cannot: 'A sign-in needs a browser in the proof. `test/auth` and `reach` sign in and check it.',
    },
    {
      statement:
        'Reminders of an ordinary link belong to who made the link, while that is the only participant of the space.',
      async check(at) {
        const { id: blockId } = await at.madeBlock('remember')
        has(one((await at.done('reminders_add', { reminders: [{ blockId }] })).items), { blockId })
      },
    },
    {
      statement: 'Where reminders are unavailable, a request for them gets an error that says so.',
      async check(at) {
        await at.inSpaceOfTwo(async (context) => {
          const sentence = await context.refused('reminders_list', {}, 'REMINDERS_UNAVAILABLE')
          reads(sentence, /reminders/)
          if (!context.isRest)
            holds(!(await context.connection.tools()).includes('reminders_list'), 'Expected the tool not to be listed')
        })
      },
    },
    {
      statement: 'How a credential is sent, how long a token lives, and what scopes there are.',
      cannot: 'The contract says that it does not show them.',
    },
  ],
}

export const events: RuleGroup = {
  title: 'events',
  rules: [
    { statement: 'Events, webhooks and pushes to clients.', cannot: 'The contract says that it does not show them.' },
    {
      statement: 'Dates of tasks notify in applications alone.',
      cannot: 'It says what applications do. The part about tasks checks that such a date sets no reminder.',
    },
  ],
}

export const versioning: RuleGroup = {
  title: 'versioning',
  rules: [{ statement: 'Versions and their negotiation.', cannot: 'The contract says that it does not show them.' }],
}
