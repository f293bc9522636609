import { z } from 'zod'
import { VIEWS_PER_COLLECTION } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { activateView, addView, deleteView, listViews, updateView } from '../src/space/collections/views/views.ts'
import { id } from './shapes/block-shapes.ts'
import { addingPart } from './shapes/call-parts.ts'
import { expected } from './shapes/conditions.ts'
import { collectionAliases, named, viewAliases } from './shapes/input-aliases.ts'
import { idAlone, unlistedAnswer } from './shapes/short-answers.ts'
import { newView, partialView, viewOutput } from './shapes/view-shapes.ts'

const activeViewId = z.string().optional()

const list = endpoint({
  name: 'views_list',
  title: 'List views',
  description: 'List the views of a collection.',
  route: 'GET /collections/{collectionId}/views',
  effect: 'read',
  aliases: [...collectionAliases, ...named('collectionId', 'id')],
  alsoKnownAs: ['views_get'],
  input: byKind(() => z.strictObject({ collectionId: id })),
  output: z.strictObject({
    collectionBlockId: z.string(),
    activeViewId,
    views: z.array(viewOutput).meta({ maxItems: VIEWS_PER_COLLECTION }),
  }),
  handle: ({ space }, { collectionId }) => listViews(space, collectionId),
})

const add = endpoint({
  name: 'views_add',
  title: 'Add a view',
  description:
    'Add a view to a collection. Properties are named by key or name, or title. A kanban view needs one groupBy rule.',
  route: 'POST /collections/{collectionId}/views',
  effect: 'add',
  aliases: [
    ...collectionAliases,
    ...['name', 'type', 'groupBy', 'sortBy', 'filters'].map((key) => ({ from: key, to: `view.${key}` })),
    ...viewAliases,
  ],
  alsoKnownAs: ['views_create'],
  parts: addingPart('collectionId'),
  input: byKind(() => z.strictObject({ collectionId: id, view: newView, answer: unlistedAnswer })),
  output: viewOutput,
  shorten: idAlone,
  handle: ({ space }, { collectionId, view }) => addView(space, collectionId, view),
})

const update = endpoint({
  name: 'views_update',
  title: 'Update a view',
  description: 'Change a view. Settings left out stay; an empty list or object clears one.',
  route: 'PUT /collections/{collectionId}/views/{viewId}',
  effect: 'change',
  aliases: [...collectionAliases, ...named('viewId', 'id'), ...viewAliases],
  alsoKnownAs: ['views_edit', 'views_rename'],
  input: byKind(() =>
    z.strictObject({ collectionId: id, viewId: id, view: partialView, expected, answer: unlistedAnswer }),
  ),
  output: viewOutput,
  shorten: idAlone,
  handle: ({ space }, { collectionId, viewId, view, expected }) =>
    updateView(space, collectionId, viewId, view, expected),
})

const remove = endpoint({
  name: 'views_delete',
  title: 'Delete a view',
  description: 'Delete a view, not its items. The last one stays.',
  route: 'DELETE /collections/{collectionId}/views/{viewId}',
  effect: 'delete',
  aliases: [...collectionAliases, ...named('viewId', 'id')],
  input: byKind(() => z.strictObject({ collectionId: id, viewId: id })),
  output: z.strictObject({ deletedViewId: z.string(), activeViewId }),
  handle: ({ space }, { collectionId, viewId }) => deleteView(space, collectionId, viewId),
})

const activate = endpoint({
  name: 'views_activate',
  title: 'Activate a view',
  description: 'Make a view the one that people see first.',
  route: 'PUT /collections/{collectionId}/active-view',
  effect: 'change',
  aliases: [...collectionAliases, ...named('viewId', 'id')],
  alsoKnownAs: ['views_select', 'views_set_active'],
  input: byKind(() => z.strictObject({ collectionId: id, viewId: id, answer: unlistedAnswer })),
  output: viewOutput,
  shorten: idAlone,
  handle: ({ space }, { collectionId, viewId }) => activateView(space, collectionId, viewId),
})

export const views = [list, add, update, remove, activate]
