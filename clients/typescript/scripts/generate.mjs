// Makes src/generated from openapi.yaml: the types of the HTTP surface, and
// the types of events from what `x-event-data` says of the two streams.
import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const contract = new URL('../../../openapi.yaml', import.meta.url)
const target = (name) => new URL(`../src/generated/${name}`, import.meta.url)
const head = '// Made from openapi.yaml by `make generate`. Change that instead.\n'

const document = parse(await readFile(contract, 'utf8'))

// What the contract says in words or in a form that has no type.
const { SessionDocument, Snapshot } = document.components.schemas
SessionDocument.required = SessionDocument.allOf.pop().required
Snapshot.properties.open_batch = { allOf: [{ $ref: '#/components/schemas/Batch' }], nullable: true }

const types = await openapiTS(document, {
  defaultNonNullable: false, // a default is what the gateway fills in: a request may leave it out
  emptyObjectsUnknown: true, // an object without properties may have any
})
await writeFile(target('openapi.ts'), head + astToString(types))

const dataOf = (path) => document.paths[path].get['x-event-data']

function table(name, about, data) {
  const rows = Object.entries(data).map(([type, schema]) => `  '${type}': Schemas['${schema}']\n`)
  return `/** ${about} */\nexport interface ${name} {\n${rows.join('')}}\n`
}

function list(name, about, data) {
  const rows = Object.keys(data).map((type) => `  '${type}',\n`)
  return `/** ${about} */\nexport const ${name} = [\n${rows.join('')}] as const\n`
}

const session = dataOf('/v1/sessions/{sid}/events')
const tenant = dataOf('/v1/events')
await writeFile(
  target('events.ts'),
  [
    `${head}import type { components } from './openapi.js'\n\ntype Schemas = components['schemas']\n`,
    table('SessionEventData', "What the events of a session's stream carry.", session),
    table('TenantEventData', "What the events of a tenant's stream carry.", tenant),
    list('sessionEventTypes', "The types of a session's stream.", session),
    list('tenantEventTypes', "The types of a tenant's stream.", tenant),
  ].join('\n'),
)
