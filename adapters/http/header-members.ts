import { SchemaAST, Struct } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { isJsonObject } from "../../domain/values/json.ts"

type Fields = Readonly<Record<string, string | undefined>>

/** The header fields that HTTP has for members of inputs (RFC 9110 section 13.1.1, Idempotency-Key). */
export const fieldsOfMembers = { expected_version: "if-match", idempotency_key: "idempotency-key" } as const

const has = ({ ast }: AnyEndpoint["input"], member: string) =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.some(({ name }) => name === member)

/** The members of the endpoint's input that clients may send as header fields. */
export const headerMembersOf = ({ input }: AnyEndpoint): ReadonlyArray<keyof typeof fieldsOfMembers> =>
  Struct.keys(fieldsOfMembers).filter((member) => has(input, member))

/** Whether what the endpoint shows has a version, which is its entity tag over HTTP. */
export const isVersioned = ({ output }: AnyEndpoint): boolean => has(output, "version")

/** The header fields that pages of trusted origins may read in responses of the endpoint. */
export const answeredFieldsOf = (endpoint: AnyEndpoint): ReadonlyArray<string> =>
  isVersioned(endpoint) || headerMembersOf(endpoint).length > 0 ? ["etag", "idempotency-replayed"] : []

/** Adds the members that a request has as header fields. Undefined for endpoints without such members. */
export const withHeaderMembers = (endpoint: AnyEndpoint) => {
  const members = headerMembersOf(endpoint)
  if (members.length === 0) return undefined
  return (input: unknown, headers: Fields): unknown => {
    if (!isJsonObject(input)) return input
    const sent = members.flatMap((member) => {
      const field = headers[fieldsOfMembers[member]]
      const value = field === undefined || (member === "expected_version" && field === "*") ? undefined : unquoted(field)
      return value === undefined ? [] : [[member, both(input[member], value)] as const]
    })
    return sent.length === 0 ? input : { ...input, ...Object.fromEntries(sent) }
  }
}

/** Two different values are no text, so that the input is refused once the caller is known. */
const both = (member: unknown, field: string) => (member === undefined || member === field ? field : [member, field])

/** Several entity tags, or a weak one, stay as they are, and are no version. */
const unquoted = (field: string) => /^"([^"]*)"$/.exec(field)?.[1] ?? field

/** The entity tag of what the body shows. */
export const entityTag = (body: unknown): Fields => (isJsonObject(body) ? { etag: `"${String(body["version"])}"` } : {})
